#include "experiments/trials.hpp"

#include <fmt/format.h>

#include "experiments/csv.hpp"
#include "experiments/paper.hpp"
#include "surefoot/minimize.hpp"
#include "surefoot/problems.hpp"

namespace surefoot {
namespace {

const RowFile::Columns trials_columns = {
    {"function", "popsize", "method", "trial", "seed", "success", "evaluations", "stop_reason"}, 4};

std::vector<std::size_t> first_jobs(const Protocol& protocol) {
  std::vector<std::size_t> first = {0};
  for (const Cell& cell : protocol.cells) first.push_back(first.back() + static_cast<std::size_t>(cell.trials));
  return first;
}

std::vector<std::string> keys(const Protocol& protocol) {
  std::vector<std::string> all;
  for (const Cell& c : protocol.cells) {
    for (int trial = 0; trial < c.trials; ++trial) {
      all.push_back(fmt::format("{},{},{},{}", c.function, c.popsize, c.method, trial));
    }
  }
  return all;
}

}  // namespace

Trial run_trial(const Cell& cell, int number, std::uint64_t protocol_seed) {
  const Problem& problem = find_problem(cell.function);
  const std::uint64_t seed = trial_seed(protocol_seed, cell.function, cell.popsize, cell.method, number);
  const Result result = minimize(problem, Vector::Constant(paper::dimension, problem.start), problem.sigma0,
                                 without_tolerances({.evaluate_x0 = false,
                                                     .ftarget = paper::ftarget,
                                                     .learning_rate = learning_rate_of(cell.method),
                                                     .maxiter = paper::generations(cell.popsize),
                                                     .method = "xnes",
                                                     .popsize = cell.popsize,
                                                     .restarts = "none",
                                                     .seed = seed}));
  return {cell, number, seed, {result.success, result.nfev}, std::string(name(result.stop))};
}

TrialFile::TrialFile(const std::filesystem::path& path, const Protocol& protocol)
    : first_job_(first_jobs(protocol)), rows_(path, trials_columns, keys(protocol)) {}

std::string row_fields(const Trial& t) {
  return fmt::format("{},{},{},{}", t.seed, t.outcome.success ? 1 : 0, t.outcome.evaluations, t.stop_reason);
}

std::vector<TrialOutcome> TrialFile::outcomes(std::size_t cell) const {
  std::vector<TrialOutcome> result;
  for (std::size_t i = first_job_[cell]; i < first_job_[cell + 1]; ++i) {
    if (!rows_.has(i)) continue;
    result.push_back(rows_.read(i, [](const std::vector<std::string>& fields) {
      return TrialOutcome{fields[5] == "1", csv_count(fields[6])};
    }));
  }
  return result;
}

}  // namespace surefoot
