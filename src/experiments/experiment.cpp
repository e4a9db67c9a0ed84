#include "experiments/experiment.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "driver/atomic_file.hpp"
#include "experiments/csv.hpp"
#include "report/parse_json.hpp"

namespace surefoot {
namespace {

using Json = nlohmann::ordered_json;

/// The finaliser of the splitmix64 generator: a bijection that leaves no trace of its argument's structure.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// A folder without a protocol is nobody's experiment: what has the names of our files there is somebody else's.
void require_free(const std::filesystem::path& folder) {
  for (const char* name : {"trials.csv", "runs.csv", "summary.json", "report.html", "traces"}) {
    if (!std::filesystem::exists(folder / name)) continue;
    throw std::invalid_argument(
        fmt::format("out = {} is not allowed: it holds {}, which no experiment has written; use another folder",
                    folder.string(), name));
  }
}

}  // namespace

void claim_folder(const std::filesystem::path& folder, const Json& protocol) {
  const std::filesystem::path file = folder / "protocol.json";
  if (!std::filesystem::exists(file)) {
    require_free(folder);
    std::filesystem::create_directories(folder);
    write_atomically(file, protocol.dump(1) + "\n");
    return;
  }
  const Json found = parse_json(read_file(file));
  if (found == protocol) return;
  for (const auto& item : protocol.items()) {
    if (found.is_object() && found.contains(item.key()) && found[item.key()] == item.value()) continue;
    throw std::invalid_argument(
        fmt::format("out = {} is not allowed: it holds results of another protocol, which differs in '{}'; use another "
                    "folder or the options it was made with",
                    folder.string(), item.key()));
  }
}

void write_results(const std::filesystem::path& folder, const Json& summary, const ExperimentReport& report) {
  write_atomically(folder / "summary.json", summary.dump(1) + "\n");
  write_atomically(folder / "report.html", report_page(report.kind, report.title, report.data));
}

std::uint64_t seed_of(std::uint64_t seed, const std::string& name) {
  std::uint64_t hash = mixed(seed);
  for (const char c : name) hash = mixed(hash ^ static_cast<unsigned char>(c));
  return hash >> 11U;
}

std::vector<double> rounded_for_display(std::vector<double> values) {
  for (double& value : values) value = csv_number(fmt::format("{:.6g}", value));
  return values;
}

}  // namespace surefoot
