#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/bound_penalty.hpp"
#include "driver/completed_options.hpp"
#include "driver/domain.hpp"
#include "driver/restart_schedule.hpp"
#include "driver/stop_criteria.hpp"
#include "surefoot/evaluator.hpp"
#include "surefoot/result.hpp"
#include "surefoot/start.hpp"

namespace surefoot {

/// What Optimizer does: runs, one after the other, generation by generation.
///
/// The points of a generation are those that are known before the search, x0 first; or a population of the strategy; or
/// at the end of a budget that has no room for a population the mean and a part of one. Only a population is learned
/// from.
class Search {
 public:
  Search(const Vector& x0, const Sigma0& sigma0, Options options, std::unique_ptr<NormalSource> normals);

  Search(const Start& start, Options options);

  const Matrix& ask();

  /// Points of the present generation or, before it is asked for, of the next.
  [[nodiscard]] Index generation_size() const;

  [[nodiscard]] bool is_asked() const { return asked_ != nullptr; }

  Generation& generation();

  /// The order of the paper's program: evaluate, test for the end, update. The last population causes no update.
  void tell(const Matrix& candidates, const Vector& values);
  void tell_generation();
  void abandon(StopReason reason);

  [[nodiscard]] Result result() const;

  [[nodiscard]] const Stop& stop() const { return stop_; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] Strategy& strategy() const { return *strategy_; }
  [[nodiscard]] const Domain& domain() const { return domain_; }
  /// Generations told so far, of any stage: a number that no two generations share.
  [[nodiscard]] std::int64_t told() const { return nit_ + (is_begun_ && known_.cols() > 0 ? 1 : 0); }
  [[nodiscard]] std::int64_t nfev() const { return nfev_; }
  [[nodiscard]] std::int64_t nit() const { return nit_; }

  void visit(StateVisitor& visitor, bool is_restoring);

 private:
  using Clock = std::chrono::steady_clock;

  /// What a generation is made of.
  enum class Stage { known, population, closing };
  [[nodiscard]] Stage next_stage() const;
  [[nodiscard]] std::int64_t evaluations_left() const;
  void gather_known(const Vector& x0);
  void ask(Stage stage, Index count);
  void ask_closing(Index count);

  /// The last population causes no update. A checkpoint keeps it with its values, so that a search which goes on with a
  /// larger budget does the update then, as if it had never stopped.
  void keep_unapplied(const Matrix& candidates, const Vector& values);

  /// Takes the count of an unapplied generation back (-1) or repeats it (1).
  void recount_unapplied(int sign);

  void begin_run(const RunPlan& plan, const Vector& mean);
  [[nodiscard]] std::optional<std::int64_t> run_budget() const;
  void close_run(StopReason reason);

  /// Goes on with another run if there is one, otherwise ends the search.
  void end_run(const Stop& run_stop);

  /// Whether the run ended at a point that is clearly worse than the best one it has seen: a lucky sample of another
  /// valley.
  [[nodiscard]] bool has_missed_best(StopReason reason) const;
  /// Whether the search has converged at its best point: by its end or, if a budget was the end, in a run before.
  [[nodiscard]] bool has_converged() const;
  /// What is a clear difference of values.
  [[nodiscard]] double clear_difference() const;
  [[nodiscard]] bool is_best_converged() const;
  [[nodiscard]] RunPlan plan_around_best() const;

  /// Uniform in the bounds if there are two for each coordinate, else around the first start.
  [[nodiscard]] Vector restart_mean() const;
  [[nodiscard]] Vector checked_point(const std::string& option, const Vector& x) const;
  void check(const Matrix& candidates, const Vector& values) const;
  void count(const Matrix& candidates, const Vector& values);
  void learn_known();
  void learn(const Matrix& candidates, const Vector& values);
  [[nodiscard]] const Matrix& told_points(const Matrix& candidates);
  [[nodiscard]] const Vector& merits(const Matrix& points, const Vector& values);
  void scale_deviations(double factor);
  void keep_near_bounds();

  /// What ends the whole search.
  [[nodiscard]] Stop met_end() const;
  /// Whether too many generations in a row had no finite value.
  [[nodiscard]] bool is_barren() const;
  [[nodiscard]] Stop barren_stop() const;
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
  void settle_restored();
  /// The generation of a checkpoint, with room for `size` outcomes. Known points for which a smaller budget had no room
  /// come back with the others.
  void restore_generation(std::int64_t stage, std::int64_t size);

  Domain domain_;
  LeftOpen left_open_;
  Options options_;  // with every default filled in
  std::unique_ptr<NormalSource> given_normals_;
  RestartSchedule schedule_;
  Matrix known_;  // points to be evaluated before the first population, the user's coordinates

  // The search.
  std::int64_t nfev_ = 0;
  std::int64_t nfailed_ = 0;
  std::int64_t nit_ = 0;
  std::int64_t barren_generations_ = 0;         // without a finite value, in a row
  std::int64_t barren_generations_before_ = 0;  // without the last generation
  std::int64_t last_failed_ = 0;                // of the last generation
  double best_f_ = std::numeric_limits<double>::quiet_NaN();
  double generation_best_ = std::numeric_limits<double>::quiet_NaN();
  double condition_ = std::numeric_limits<double>::quiet_NaN();  // as last measured for an observer
  Vector best_x_;
  double best_sigma_ = 1;                                      // step size when it was found, in units of the start's
  double visited_ = std::numeric_limits<double>::quiet_NaN();  // the best value around which a run was begun
  double converged_f_ = std::numeric_limits<double>::quiet_NaN();  // the best value at which a run has converged
  double converged_to_within_ = 0;                                 // a clear difference of values there
  std::int64_t visit_nfev_ = 0;                                    // evaluations that the schedule has not heard of
  bool is_begun_ = false;                                          // the known points have been told, if there are any
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
  std::int64_t closed_at_ = 0;  // generations of the run when its mean was last evaluated, at the end of a budget
  double run_best_ = std::numeric_limits<double>::quiet_NaN();
  std::optional<CounterNormals> own_normals_;
  NormalSource* normals_ = nullptr;
  std::unique_ptr<Strategy> strategy_;
  std::unique_ptr<RunCriteria> criteria_;

  // The present generation.
  Stage stage_ = Stage::population;
  const Matrix* asked_ = nullptr;       // its points, the user's coordinates; null before they are asked for
  const Matrix* population_ = nullptr;  // what the strategy gave, if it did
  Matrix user_points_;                  // the same where coordinates differ
  Generation generation_;
  Vector values_;
  Matrix changed_;  // points of which the caller changed some, search coordinates
  std::vector<Index> changed_columns_;
  BoundPenalty penalty_;
  Vector deviations_, squares_, shift_, factors_;  // workspace of the bounds
  bool is_over_ = false;                           // the last run has ended by itself, which no budget can change
  bool is_unapplied_ = false;                      // counted, but a budget ended the search before the update
};

}  // namespace surefoot
