#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/bound_transform.hpp"
#include "driver/restart_schedule.hpp"
#include "driver/stop_criteria.hpp"
#include "surefoot/evaluator.hpp"
#include "surefoot/result.hpp"
#include "surefoot/start.hpp"

namespace surefoot {

/// What Optimizer does: runs, one after the other, generation by generation.
class Search {
 public:
  Search(const Vector& x0, const Sigma0& sigma0, Options options, std::unique_ptr<NormalSource> normals);

  Search(const SearchDistribution& start, Options options);

  const Matrix& ask();

  [[nodiscard]] bool is_asked() const { return population_ != nullptr; }

  Generation& generation();

  /// The order of the paper's program: evaluate, test for the end, update. The last population causes no update.
  void tell(const Matrix& candidates, const Vector& values);
  void tell_generation();
  void abandon(StopReason reason);

  [[nodiscard]] Result result() const;

  [[nodiscard]] const Stop& stop() const { return stop_; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] Strategy& strategy() const { return *strategy_; }
  [[nodiscard]] std::int64_t nfev() const { return nfev_; }
  [[nodiscard]] std::int64_t nit() const { return nit_; }

  void visit(StateVisitor& visitor, bool is_restoring);

 private:
  using Clock = std::chrono::steady_clock;

  /// The last population causes no update. A checkpoint keeps it with its values, so that a search which goes on with a
  /// larger budget does the update then, as if it had never stopped.
  void keep_unapplied(const Matrix& candidates, const Vector& values);

  /// Takes the count of an unapplied generation back (-1) or repeats it (1).
  void recount_unapplied(int sign);

  [[nodiscard]] const Matrix& user_population() const { return bounds_.is_active() ? user_population_ : *population_; }

  /// Made when it is needed: kept, its d x d matrix would cost as much as the search's own.
  [[nodiscard]] SearchDistribution first_distribution() const;
  void begin_run(const RunPlan& plan, const Vector& mean);
  [[nodiscard]] std::optional<std::int64_t> run_budget() const;
  void close_run(StopReason reason);

  /// Goes on with another run if there is one, otherwise ends the search.
  void end_run(const Stop& run_stop);

  /// Uniform in the bounds if there are two for each coordinate, else around the first start.
  [[nodiscard]] Vector restart_mean() const;
  [[nodiscard]] Vector checked_restart_point(const Vector& x) const;
  void check(const Matrix& candidates, const Vector& values) const;
  void count(const Matrix& candidates, const Vector& values);
  void update(const Matrix& candidates, const Vector& values);

  /// What ends the whole search.
  [[nodiscard]] Stop met_end() const;
  [[nodiscard]] Stop met_run_budget() const;
  [[nodiscard]] std::string last_failure() const;
  [[nodiscard]] double elapsed() const;
  [[nodiscard]] Stop timed_out() const;

  /// Asked from evaluators' threads: reads only what does not change during a generation.
  [[nodiscard]] StopReason cancel_reason() const;
  void notify(bool is_last);
  void visit_identity(StateVisitor& visitor);
  void visit_runs(StateVisitor& visitor, bool is_restoring);
  void visit_end(StateVisitor& visitor, bool is_restoring);
  void visit_generation(StateVisitor& visitor, bool is_restoring);

  BoundTransform bounds_;
  bool has_given_seed_;
  Options options_;  // with every default filled in
  std::unique_ptr<NormalSource> given_normals_;
  Vector start_mean_;  // of the first run, in search coordinates
  Vector start_deviations_;
  Vector largest_deviations_;  // that are of use within the bounds
  std::optional<SearchDistribution> warm_start_;
  RestartSchedule schedule_;

  // The search.
  std::int64_t nfev_ = 0;
  std::int64_t nfailed_ = 0;
  std::int64_t nit_ = 0;
  std::int64_t failed_generations_ = 0;         // in a row
  std::int64_t failed_generations_before_ = 0;  // without the last generation
  std::int64_t last_failed_ = 0;                // of the last generation
  double best_f_ = std::numeric_limits<double>::quiet_NaN();
  double generation_best_ = std::numeric_limits<double>::quiet_NaN();
  double condition_ = std::numeric_limits<double>::quiet_NaN();  // as last measured for an observer
  Vector best_x_;
  Stop stop_;
  std::vector<RunSummary> finished_runs_;
  Clock::time_point begin_ = Clock::now();
  double elapsed_before_ = 0;  // seconds before this process

  // The present run.
  std::int64_t run_ = 0;
  RunPlan plan_;
  Vector run_mean_;  // where it started
  std::int64_t run_nit_ = 0;
  std::int64_t run_nfev_ = 0;
  double run_best_ = std::numeric_limits<double>::quiet_NaN();
  std::optional<CounterNormals> own_normals_;
  NormalSource* normals_ = nullptr;
  std::unique_ptr<Strategy> strategy_;
  std::unique_ptr<RunCriteria> criteria_;

  // The present generation.
  const Matrix* population_ = nullptr;  // what the strategy gave; null before it
  Matrix user_population_;              // the same within the bounds
  Generation generation_;
  Vector values_;
  bool is_over_ = false;       // the last run has ended by itself, which no budget can change
  bool is_unapplied_ = false;  // counted, but a budget ended the search before the update
};

}  // namespace surefoot
