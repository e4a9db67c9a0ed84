#include "experiments/experiment.hpp"

#include <fmt/format.h>

#include <mutex>
#include <stdexcept>

#include "driver/atomic_file.hpp"
#include "experiments/parallel.hpp"

namespace surefoot {
namespace {

using Json = nlohmann::ordered_json;

/// Adds up what is done and tells it.
class ProgressMeter {
 public:
  ProgressMeter(const Jobs& jobs, const std::vector<std::size_t>& missing,
                const std::function<void(const ExperimentProgress&)>& tell)
      : state_{jobs.work.size() - missing.size(), jobs.work.size(), 0}, tell_(tell) {
    for (const std::size_t job : missing) work_ += jobs.work[job];
  }

  void add(double work) {
    const std::lock_guard lock(mutex_);
    ++state_.done;
    state_.share += work / work_;
    if (tell_) tell_(state_);
  }

 private:
  std::mutex mutex_;
  ExperimentProgress state_;
  double work_ = 0;
  const std::function<void(const ExperimentProgress&)>& tell_;
};

std::vector<std::size_t> missing_of(const Jobs& jobs) {
  std::vector<std::size_t> missing;
  for (std::size_t job = 0; job < jobs.work.size(); ++job) {
    if (!jobs.is_done(job)) missing.push_back(job);
  }
  return missing;
}

/// The finaliser of the splitmix64 generator: a bijection that leaves no trace of its argument's structure.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace

void claim_folder(const std::filesystem::path& folder, const Json& protocol) {
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "protocol.json";
  if (!std::filesystem::exists(file)) {
    write_atomically(file, protocol.dump(1) + "\n");
    return;
  }
  const Json found = Json::parse(read_file(file), nullptr, false);
  if (found == protocol) return;
  for (const auto& item : protocol.items()) {
    if (found.is_object() && found.contains(item.key()) && found[item.key()] == item.value()) continue;
    throw std::invalid_argument(
        fmt::format("out = {} is not allowed: it holds results of another protocol, which differs in '{}'; use another "
                    "folder or the options it was made with",
                    folder.string(), item.key()));
  }
}

bool run_missing(const Jobs& jobs, const ExperimentSettings& settings, const std::atomic<bool>& interrupted) {
  const std::vector<std::size_t> missing = missing_of(jobs);
  ProgressMeter meter(jobs, missing, settings.progress);
  if (settings.spread) {
    settings.spread({missing.begin(), missing.end()}, [&](std::int64_t job, const std::string& result) {
      jobs.keep(static_cast<std::size_t>(job), result);
      meter.add(jobs.work[static_cast<std::size_t>(job)]);
    });
    return missing_of(jobs).empty();
  }
  parallel_for_each(missing.size(), settings.threads, interrupted, [&](std::size_t i) {
    jobs.run_once(missing[i]);
    meter.add(jobs.work[missing[i]]);
  });
  return missing_of(jobs).empty();
}

std::uint64_t seed_of(std::uint64_t seed, const std::string& name) {
  std::uint64_t hash = mixed(seed);
  for (const char c : name) hash = mixed(hash ^ static_cast<unsigned char>(c));
  return hash >> 11U;
}

std::vector<double> rounded_for_display(std::vector<double> values) {
  for (double& value : values) value = std::stod(fmt::format("{:.6g}", value));
  return values;
}

}  // namespace surefoot
