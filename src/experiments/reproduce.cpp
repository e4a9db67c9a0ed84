#include "experiments/reproduce.hpp"

#include <fmt/format.h>

#include <mutex>
#include <numeric>
#include <stdexcept>

#include "experiments/atomic_file.hpp"
#include "experiments/paper.hpp"
#include "experiments/parallel.hpp"
#include "report/report.hpp"
#include "surefoot/problems.hpp"
#include "surefoot/version.hpp"

namespace surefoot {
namespace {

using Json = nlohmann::ordered_json;

/// Makes the folder this protocol's own, or refuses one that is another's.
void claim(const std::filesystem::path& out, const Protocol& protocol) {
  std::filesystem::create_directories(out / "traces");
  const std::filesystem::path file = out / "protocol.json";
  const Json wanted = to_json(protocol);
  if (!std::filesystem::exists(file)) {
    write_atomically(file, wanted.dump(1) + "\n");
    return;
  }
  const Json found = Json::parse(read_file(file), nullptr, false);
  if (found == wanted) return;
  for (const auto& item : wanted.items()) {
    if (found.is_object() && found.contains(item.key()) && found[item.key()] == item.value()) continue;
    throw std::invalid_argument(
        fmt::format("out = {} is not allowed: it holds results of another protocol, which differs in '{}'; use another "
                    "folder or the options it was made with",
                    out.string(), item.key()));
  }
}

/// A typical run or one trial of a cell.
struct Job {
  bool typical = false;
  std::size_t index = 0;  // of the run or cell
  int trial = 0;
  double work = 0;  // evaluations it is expected to take
};

std::filesystem::path trace_file(const std::filesystem::path& out, const TypicalRun& run) {
  return out / "traces" / (run.name() + ".csv");
}

double expected_work(const Cell& cell) {
  constexpr double unknown = 50000;  // the paper saw no success; most such trials end early
  return paper::evaluations_per_success(cell.function, cell.popsize, cell.method).value_or(unknown);
}

std::vector<Job> missing_jobs(const Protocol& protocol, const std::filesystem::path& out, const TrialFile& trials) {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < protocol.runs.size(); ++i) {
    if (!std::filesystem::exists(trace_file(out, protocol.runs[i]))) jobs.push_back({true, i, 0, 1e5});
  }
  for (std::size_t i = 0; i < protocol.cells.size(); ++i) {
    for (int trial = 0; trial < protocol.cells[i].trials; ++trial) {
      if (!trials.has(i, trial)) jobs.push_back({false, i, trial, expected_work(protocol.cells[i])});
    }
  }
  return jobs;
}

/// Adds up what is done and tells it.
class ProgressMeter {
 public:
  ProgressMeter(const std::vector<Job>& jobs, std::size_t total, std::function<void(const ReproduceProgress&)> tell)
      : state_{total - jobs.size(), total, 0}, tell_(std::move(tell)) {
    for (const Job& job : jobs) work_ += job.work;
  }

  void add(const Job& job) {
    const std::lock_guard lock(mutex_);
    ++state_.done;
    state_.share += job.work / work_;
    if (tell_) tell_(state_);
  }

 private:
  std::mutex mutex_;
  ReproduceProgress state_;
  double work_ = 0;
  std::function<void(const ReproduceProgress&)> tell_;
};

std::size_t total_jobs(const Protocol& protocol) {
  return std::accumulate(protocol.cells.begin(), protocol.cells.end(), protocol.runs.size(),
                         [](std::size_t sum, const Cell& cell) { return sum + static_cast<std::size_t>(cell.trials); });
}

Courses read_courses(const Protocol& protocol, const std::filesystem::path& out) {
  Courses courses;
  for (const TypicalRun& run : protocol.runs) courses[run.name()] = course_from_csv(read_file(trace_file(out, run)));
  return courses;
}

/// Six digits are more than a picture shows.
std::vector<double> rounded(std::vector<double> values) {
  for (double& value : values) value = std::stod(fmt::format("{:.6g}", value));
  return values;
}

Json trace_data(const TypicalRun& run, const Course& course) {
  return {{"figure", run.figure},
          {"function", run.function},
          {"popsize", run.popsize},
          {"method", run.method},
          {"nfev", course.nfev},
          {"best", rounded(course.best)},
          {"eta_sigma", rounded(course.eta_sigma)},
          {"eta_B", rounded(course.eta_B)},
          {"l_theta", rounded(course.l_theta)}};
}

Json report_data(const Protocol& protocol, const Reproduction& result, const Courses& courses) {
  Json trials = Json::object();
  for (const Cell& cell : protocol.cells) trials[cell.function] = cell.trials;
  Json functions = Json::array();
  for (const auto& f : paper::functions())
    functions.push_back({{"name", f.name}, {"title", find_problem(f.name).title}});
  Json traces = Json::array();
  for (const TypicalRun& run : protocol.runs) traces.push_back(trace_data(run, courses.at(run.name())));
  return {{"version", version},
          {"protocol",
           {{"target", paper::ftarget},
            {"maxfevals", paper::maxfevals},
            {"dimension", paper::dimension},
            {"seed", protocol.seed},
            {"quick", protocol.quick},
            {"trials", trials},
            {"complete", true}}},
          {"eta_default", default_learning_rates(paper::dimension).sigma},
          {"methods", paper::methods()},
          {"functions", functions},
          {"traces", traces},
          {"summary", to_json(result.summary)},
          {"verdict", to_json(result.verdicts)}};
}

}  // namespace

Reproduction reproduce(const Protocol& protocol, const ReproduceSettings& settings,
                       const std::atomic<bool>& interrupted) {
  claim(settings.out, protocol);
  TrialFile trials(settings.out / "trials.csv", protocol);
  const std::vector<Job> jobs = missing_jobs(protocol, settings.out, trials);
  ProgressMeter meter(jobs, total_jobs(protocol), settings.progress);

  parallel_for_each(jobs.size(), settings.threads, interrupted, [&](std::size_t i) {
    const Job& job = jobs[i];
    if (job.typical) {
      const TypicalRun& run = protocol.runs[job.index];
      write_atomically(trace_file(settings.out, run), to_csv(run_typical(run, protocol.seed)));
    } else {
      trials.add(job.index, run_trial(protocol.cells[job.index], job.trial, protocol.seed));
    }
    meter.add(job);
  });

  Reproduction result;
  result.complete = missing_jobs(protocol, settings.out, trials).empty();
  if (!result.complete) return result;
  trials.finish();
  const Courses courses = read_courses(protocol, settings.out);
  result.summary = summarise(protocol, trials);
  result.verdicts = verdicts(result.summary, courses);
  write_atomically(settings.out / "summary.json", to_json(result.summary).dump(1) + "\n");
  write_atomically(settings.out / "report.html",
                   report_page(ReportKind::reproduction, "Reproduction of Nomura and Ono (2022)",
                               report_data(protocol, result, courses)));
  return result;
}

}  // namespace surefoot
