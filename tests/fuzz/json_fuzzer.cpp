// Fixtures and traces, changed as JSON, and the tables of experiments, changed as text. Each is read or refused with
// std::invalid_argument.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "experiments/replay.hpp"
#include "experiments/row_file.hpp"

namespace {

using Json = nlohmann::ordered_json;

std::string fuzz_path(const std::string& name) {
  const std::filesystem::path memory = "/dev/shm";
  const auto root = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
  return (root / ("surefoot-fuzz-" + std::to_string(getpid()) + name)).string();
}

void accept_or_refuse(const std::function<void()>& read) {
  try {
    read();
  } catch (const std::invalid_argument&) {
  }
}

/// Takes bytes of the input as numbers; zeros at its end.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : rest_(bytes) {}
  std::size_t below(std::size_t count) {
    if (rest_.empty() || count == 0) return 0;
    const std::size_t value = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return value % count;
  }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

Json strange_value(Choices& choices) {
  switch (choices.below(12)) {
    case 0: return nullptr;
    case 1: return true;
    case 2: return "text";
    case 3: return Json::array();
    case 4: return Json::object();
    case 5: return -1;
    case 6: return 0;
    case 7: return 1e308;
    case 8: return -1e308;
    case 9: return std::numeric_limits<std::int64_t>::max();
    case 10: return 5e-324;
    default: return Json::array({1, 2, 3, 4, 5, 6, 7, 8, 9});
  }
}

/// Goes down to a part and changes it: another value, one element less, one twice.
void change(Json& part, Choices& choices) {
  if (part.is_structured() && !part.empty() && choices.below(8) != 0) {
    const std::size_t which = choices.below(part.size());
    auto child = part.begin();
    std::advance(child, static_cast<std::ptrdiff_t>(which));
    const std::size_t what = choices.below(10);
    if (what == 0) {
      part.erase(child);
    } else if (what == 1 && part.is_array()) {
      part.push_back(Json(*child));
    } else {
      change(*child, choices);
    }
    return;
  }
  part = strange_value(choices);
}

std::string with_steps(const char* objective, const char* algorithm, const char* variant) {
  const auto row = [](double a, double b) { return Json::array({a, b}); };
  const Json step = {{"z", {row(0.1, -0.2), row(0.3, 1), row(-1, 0.5), row(0.2, 0.7)}},
                     {"f", {1, 2, 3, 4}},
                     {"order", {0, 1, 2, 3}},
                     {"state", {{"m", row(1, 1)}, {"sigma", 0.5}}}};
  const Json fixture = {{"meta", {{"algorithm", algorithm}, {"variant", variant}}},
                        {"objective", {{"name", objective}, {"check_x", row(1, 2)}, {"check_f", 5}}},
                        {"lam", 4},
                        {"init", {{"m", row(1, 1)}, {"sigma", 0.5}}},
                        {"steps", {step, step}}};
  return fixture.dump();
}

void replay_changed(Choices& choices) {
  static const std::array seeds = {
      with_steps("sphere", "xNES", "standard"),    with_steps("sphere", "xNES-LRA", "B-frame"),
      with_steps("sphere", "CMA-ES (active)", ""), with_steps("sphere", "SNES", ""),
      with_steps("sphere", "CR-FM-NES", ""),       with_steps("sphere", "LM-MA-ES", ""),
      with_steps("sphere", "ig-xnes", "")};
  Json fixture = Json::parse(seeds.at(choices.below(seeds.size())));
  for (int n = 0; n < 3 && !choices.empty(); ++n) change(fixture, choices);
  static const std::string file = fuzz_path(".json");
  std::ofstream(file) << fixture.dump(-1, ' ', false, Json::error_handler_t::replace);
  accept_or_refuse([] { surefoot::replay(file); });
  std::filesystem::remove(file);
}

void report_changed(Choices& choices) {
  static const Json seed = {{"generation", 3}, {"nfev", 18},          {"best", 1.5},    {"generation_best", 2},
                            {"sigma", 0.5},    {"condition", 10},     {"mean", {1, 2}}, {"failures", Json::array()},
                            {"run", 0},        {"deviations", {1, 1}}};
  std::string lines;
  for (int n = 0; n < 3; ++n) {
    Json record = seed;
    for (int k = 0; k < 2 && !choices.empty(); ++k) change(record, choices);
    lines += record.dump() + "\n";
  }
  static const std::string file = fuzz_path(".jsonl");
  static const std::string page = fuzz_path(".html");
  std::ofstream(file) << lines;
  accept_or_refuse([] {
    CLI::App app;
    surefoot::cli::Exit status{};
    surefoot::cli::add_report(app, status);
    app.parse("report " + file + " -o " + page);
  });
  std::filesystem::remove(file);
  std::filesystem::remove(page);
}

/// The table of a benchmark's folder, from which an interrupted one goes on.
void read_table(std::string_view text) {
  static const std::string file = fuzz_path(".csv");
  std::ofstream(file, std::ios::binary) << "function,dim,evaluations\nsphere,2,100\n" << text;
  accept_or_refuse([] {
    const surefoot::RowFile rows(file, {{"function", "dim", "evaluations"}, 2}, {"sphere,2", "sphere,3"});
    for (std::size_t job = 0; job < 2; ++job) static_cast<void>(rows.row(job));
  });
  std::filesystem::remove(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string input(data, data + size);
  Choices choices(std::string_view(input).substr(1));
  switch (data[0] % 3) {
    case 0: replay_changed(choices); break;
    case 1: report_changed(choices); break;
    default: read_table(std::string_view(input).substr(1)); break;
  }
  return 0;
}
