#include "experiments/reproduce.hpp"

#include <fmt/format.h>

#include "driver/atomic_file.hpp"
#include "experiments/experiment.hpp"
#include "experiments/paper.hpp"
#include "surefoot/problems.hpp"
#include "surefoot/version.hpp"

namespace surefoot {
namespace {

using Json = nlohmann::ordered_json;

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

std::vector<Job> all_jobs(const Protocol& protocol) {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < protocol.runs.size(); ++i) jobs.push_back({true, i, 0, 1e5});
  for (std::size_t i = 0; i < protocol.cells.size(); ++i) {
    const double work = expected_work(protocol.cells[i]);
    for (int trial = 0; trial < protocol.cells[i].trials; ++trial) jobs.push_back({false, i, trial, work});
  }
  return jobs;
}

/// The text of a trace, or the last fields of a trial's row.
std::string result_of(const Job& job, const Protocol& protocol) {
  if (job.typical) return to_csv(run_typical(protocol.runs[job.index], protocol.seed));
  return row_fields(run_trial(protocol.cells[job.index], job.trial, protocol.seed));
}

Courses read_courses(const Protocol& protocol, const std::filesystem::path& out) {
  Courses courses;
  for (const TypicalRun& run : protocol.runs) courses[run.name()] = course_from_csv(read_file(trace_file(out, run)));
  return courses;
}

Json trace_data(const TypicalRun& run, const Course& course) {
  return {{"figure", run.figure},
          {"function", run.function},
          {"popsize", run.popsize},
          {"method", run.method},
          {"nfev", course.nfev},
          {"best", rounded_for_display(course.best)},
          {"eta_sigma", rounded_for_display(course.eta_sigma)},
          {"eta_B", rounded_for_display(course.eta_B)},
          {"l_theta", rounded_for_display(course.l_theta)}};
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

Compute reproduction_compute(const Protocol& protocol) {
  // Trials of the paper take seconds at most, so those that have begun are finished.
  return [protocol, all = all_jobs(protocol)](std::size_t job, const std::function<bool()>& /*cancelled*/) {
    return std::optional(result_of(all.at(job), protocol));
  };
}

Reproduction reproduce(const Protocol& protocol, const ExperimentSettings& settings) {
  claim_folder(settings.out, to_json(protocol));
  std::filesystem::create_directories(settings.out / "traces");
  TrialFile trials(settings.out / "trials.csv", protocol);
  const std::vector<Job> all = all_jobs(protocol);
  Jobs jobs;
  for (const Job& job : all) jobs.work.push_back(job.work);
  jobs.is_done = [&](std::size_t i) {
    return all[i].typical ? std::filesystem::exists(trace_file(settings.out, protocol.runs[all[i].index]))
                          : trials.has(all[i].index, all[i].trial);
  };
  jobs.keep = [&](std::size_t i, const std::string& result) {
    const Job& job = all[i];
    if (job.typical) {
      write_atomically(trace_file(settings.out, protocol.runs[job.index]), result);
    } else {
      trials.add(job.index, job.trial, result);
    }
  };

  Reproduction result;
  result.complete = run_missing(jobs, settings);
  if (!result.complete) return result;
  trials.finish();
  const Courses courses = read_courses(protocol, settings.out);
  result.summary = summarise(protocol, trials);
  result.verdicts = verdicts(result.summary, courses);
  write_results(
      settings.out, to_json(result.summary),
      {ReportKind::reproduction, "Reproduction of Nomura and Ono (2022)", report_data(protocol, result, courses)});
  return result;
}

}  // namespace surefoot
