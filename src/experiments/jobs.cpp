#include "experiments/jobs.hpp"

#include <optional>
#include <utility>

namespace surefoot {
namespace {

/// Adds up what is done and reports it.
class ProgressMeter {
 public:
  ProgressMeter(const Jobs& jobs, const std::vector<std::int64_t>& missing,
                const std::function<void(const JobProgress&)>& report)
      : state_{jobs.work.size() - missing.size(), jobs.work.size(), 0}, report_(report) {
    for (const std::int64_t job : missing) work_ += jobs.work[static_cast<std::size_t>(job)];
  }

  void add(double work) {
    ++state_.done;
    state_.share += work / work_;
    if (report_) report_(state_);
  }

 private:
  JobProgress state_;
  double work_ = 0;
  const std::function<void(const JobProgress&)>& report_;
};

std::vector<std::int64_t> missing_of(const Jobs& jobs) {
  std::vector<std::int64_t> missing;
  for (std::size_t job = 0; job < jobs.work.size(); ++job) {
    if (!jobs.is_done(job)) missing.push_back(static_cast<std::int64_t>(job));
  }
  return missing;
}

}  // namespace

MakeWork job_work(std::function<Compute()> make_compute) {
  return [make_compute = std::move(make_compute)]() -> Work {
    return [compute = make_compute()](const Task& task, const std::function<bool()>& cancelled) {
      return compute(static_cast<std::size_t>(task.number), cancelled);
    };
  };
}

bool run_missing(const Jobs& jobs, const ExperimentSettings& settings) {
  const std::vector<std::int64_t> missing = missing_of(jobs);
  ProgressMeter meter(jobs, missing, settings.progress);
  std::size_t kept = 0;
  settings.workers.run(
      missing, [](std::int64_t) { return std::string(); },
      [&](std::int64_t number, const std::string& result) {
        const auto job = static_cast<std::size_t>(number);
        jobs.keep(job, result);
        ++kept;
        meter.add(jobs.work[job]);
      },
      settings.interrupted);
  return kept == missing.size();
}

}  // namespace surefoot
