#include "experiments/bbob_run.hpp"

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <stdexcept>

#include "core/elementary/elementary.hpp"
#include "driver/atomic_file.hpp"
#include "experiments/experiment.hpp"
#include "experiments/uniform.hpp"
#include "surefoot/minimize.hpp"
#include "surefoot/session.hpp"

namespace surefoot {
namespace {

/// Watches the values of a problem in the order of evaluation.
class Recorder {
 public:
  Recorder(const BbobProblem& problem, std::int64_t budget, CocoLog* log)
      : problem_(problem), budget_(budget), log_(log) {}

  void operator()(const Matrix& population, Vector& values) {
    problem_.evaluate(population, values);
    for (Index i = 0; i < values.size(); ++i) see(population.col(i).data(), values[i]);
  }

  /// Whether the budget is used or the last target hit.
  [[nodiscard]] bool is_done() const { return next_target_ == bbob_targets || outcome_.evaluations >= budget_; }
  [[nodiscard]] const BbobOutcome& outcome() const { return outcome_; }

 private:
  void see(const double* x, double value) {
    if (outcome_.evaluations >= budget_) return;  // This is the rest of the last generation.
    ++outcome_.evaluations;
    outcome_.precision = std::min(outcome_.precision, value - problem_.optimal_value());
    while (next_target_ < bbob_targets && outcome_.precision <= bbob_target(next_target_)) {
      outcome_.hits.at(next_target_++) = outcome_.evaluations;
    }
    if (log_ != nullptr) log_->add(outcome_.evaluations, value, x);
  }

  const BbobProblem& problem_;
  std::int64_t budget_;
  CocoLog* log_;
  std::size_t next_target_ = 0;
  BbobOutcome outcome_{.precision = std::numeric_limits<double>::infinity()};
};

/// Uniform in [-half_width, half_width].
void fill_uniform(std::mt19937_64& engine, double half_width, Eigen::Ref<Matrix> points) {
  for (Index j = 0; j < points.cols(); ++j) {
    for (Index i = 0; i < points.rows(); ++i) points(i, j) = half_width * (2 * uniform(engine) - 1);
  }
}

Vector start_of_run(std::uint64_t seed, std::int64_t run, Index dimension) {
  std::mt19937_64 engine(seed_of(seed, "run " + std::to_string(run)));
  Vector x(dimension);
  fill_uniform(engine, 4, x);
  return x;
}

void search_at_random(Recorder& recorder, Index dimension, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  Matrix points(dimension, 100);
  Vector values(points.cols());
  while (!recorder.is_done()) {
    fill_uniform(engine, 5, points);
    recorder(points, values);
  }
}

/// A folder of our own, which is removed with what is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "surefoot-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) {
      throw std::runtime_error("the folder " + path_ + " cannot be made: " + std::strerror(errno));
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string file(const char* name) const { return (std::filesystem::path(path_) / name).string(); }

 private:
  std::string path_;
};

Options bbob_options(const Contender& contender, std::int64_t budget, std::uint64_t seed, const Recorder& recorder,
                     Index d) {
  Options options = contender.options;
  options.maxfevals = budget;
  options.evaluation_seconds = 1;  // evaluations are what is counted
  options.seed = seed;
  options.restart_point = [seed, d](std::int64_t run) { return start_of_run(seed, run, d); };
  options.callback = [&recorder](const Record& /*record*/) { return recorder.is_done(); };
  return options;
}

}  // namespace

double bbob_target(std::size_t k) {
  static const auto table = [] {
    std::array<double, bbob_targets> targets{};
    for (std::size_t i = 0; i < bbob_targets; ++i)
      targets.at(i) = elementary::pow(10.0, (10.0 - static_cast<double>(i)) / 5);
    return targets;
  }();
  return table.at(k);
}

BbobOutcome run_bbob(const Contender& contender, const BbobProblem& problem, std::int64_t budget, std::uint64_t seed,
                     CocoLog* log) {
  Recorder recorder(problem, budget, log);
  const Index d = problem.dimension();
  if (contender.is_random) {
    search_at_random(recorder, d, seed);
    BbobOutcome outcome = recorder.outcome();
    outcome.runs = 1;
    return outcome;
  }
  const Options options = bbob_options(contender, budget, seed, recorder, d);
  const Result result = minimize(recorder, start_of_run(seed, 1, d), 2, options);
  BbobOutcome outcome = recorder.outcome();
  outcome.runs = static_cast<std::int64_t>(result.runs.size());
  return outcome;
}

TracedBbobOutcome trace_bbob(const Contender& contender, const BbobProblem& problem, std::int64_t budget,
                             std::uint64_t seed, const std::string& command, CocoLog* log) {
  if (contender.is_random) return {run_bbob(contender, problem, budget, seed, log), {}};
  Recorder recorder(problem, budget, log);
  const Index d = problem.dimension();
  const TemporaryFolder folder;
  const std::string file = folder.file("trace.jsonl");
  Session session(start_of_run(seed, 1, d), 2, bbob_options(contender, budget, seed, recorder, d),
                  {.command = command, .trace = file});
  const Result result = session.minimize(recorder);
  if (!session.lost().empty()) throw std::runtime_error(session.lost().front());
  TracedBbobOutcome traced{recorder.outcome(), read_file(file)};
  traced.outcome.runs = static_cast<std::int64_t>(result.runs.size());
  return traced;
}

}  // namespace surefoot
