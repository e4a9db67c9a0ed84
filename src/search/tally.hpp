#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "driver/merit/constraint_rules.hpp"
#include "search/counting.hpp"
#include "surefoot/generation.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// Whether a candidate with this violation of constraints and this value is better than another: it violates less, or
/// as much and is lower. Everything is better than what is not finite.
inline bool is_better(double violation, double f, double than_violation, double than_f) {
  if (!is_finite(than_f)) return true;
  return violation != than_violation ? violation < than_violation : f < than_f;
}

/// The best of some candidates, which are all finite.
class Best {
 public:
  /// Of those before. Everything is better than what is not finite.
  Best(double violation, double f)
      : violation_(is_finite(f) ? violation : std::numeric_limits<double>::infinity()), f_(f) {}

  [[nodiscard]] double violation() const { return violation_; }
  [[nodiscard]] double f() const { return f_; }

  /// Takes a candidate over if it is better.
  bool take(double violation, double f) {
    const bool takes = violation < violation_ || (violation == violation_ && f < f_);
    if (!takes) return false;
    violation_ = violation;
    f_ = f;
    return true;
  }

 private:
  double violation_;
  double f_;
};

/// What has happened so far: counts and best points, of the search and of its present run. A value, which can be copied
/// and taken back by one generation.
struct Tally {
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  // The search.
  std::int64_t nfev = 0;
  std::int64_t nfailed = 0;
  std::int64_t excused_nfev = 0;  // evaluations, and those that failed, before the objective was repaired
  std::int64_t excused_nfailed = 0;
  std::string last_failure;  // kind and reason; empty if there was none
  Vector last_failure_x;     // where it was
  FailureCounts kinds;       // by the number of the FailureKind
  std::int64_t nit = 0;
  std::int64_t rounds = 0;  // told, without those that ended a generation
  std::int64_t barren = 0;  // generations without a finite value, in a row
  double best_f = nan;      // infinity if no value was finite, NaN if all failed
  Vector best_x;
  std::vector<double> best_constraints;  // there
  double best_violation = 0;             // of them
  double best_sigma = 1;                 // step size when it was found, in units of the start's
  std::int64_t best_run = 0;             // the run that found it, or the newest that began at it
  double generation_best = nan;          // lowest f of the last generation, of those with the least violation
  double generation_violation = 0;       // there
  Vector multipliers;                    // of the last run whose best point was the best of all; empty if it had none
  double model_seconds = 0;              // counted, that models of earlier runs have taken of what is given to them
  bool is_begun = false;                 // the known points have been told, if there are any
  double noise = 0;                      // standard deviation of the noise that was found; 0: none

  // The present run.
  std::int64_t run = 0;  // 0, 1, ...
  std::int64_t run_nit = 0;
  std::int64_t run_nfev = 0;
  std::int64_t run_repeats = 0;  // evaluations in between that are no part of its course
  std::int64_t closed_at = 0;    // generations of the run when its mean was last evaluated, at the end of a budget
  double run_best = nan;
  double run_violation = 0;  // where it is

  // The last generation.
  std::int64_t last_nfev = 0;
  std::int64_t last_failed = 0;
  std::array<std::int64_t, std::tuple_size_v<FailureCounts>> last_kinds = {};
  std::int64_t barren_before = 0;
  bool is_ended = false;  // nothing more of it was to come

  void begin_run(std::int64_t number);
  /// The evaluations just counted repeat others: they are no part of the run's course.
  void set_apart();

  /// Counts the outcomes of a generation, sampled with a step size of `sigma` in units of the start's. `begins`: they
  /// are its first ones; only a model lets more follow. What violates constraints less is better, then what has a
  /// lower f.
  void count(const Generation& generation, const Matrix& points, double sigma, const ConstraintRules& rules = {},
             bool begins = true);
  /// The last generation has a candidate of this value, without violation, that was counted before; NaN: none.
  void note_kept(double f);
  void end_generation(const Counting& counting);

  /// The tally before the last generation, apart from its best points, which a repetition finds again.
  [[nodiscard]] Tally without_last(const Counting& counting) const;

  /// The objective has been repaired: failures so far no longer count against it.
  void forgive();

  /// Whether no generation of this run had a finite value so far although its start has one: it is too wide.
  [[nodiscard]] bool is_narrowing() const;

  /// Whether the best point meets all constraints.
  [[nodiscard]] bool is_best_feasible() const { return is_finite(best_f) && best_violation == 0; }
  /// The same of the present run.
  [[nodiscard]] bool is_run_best_feasible() const { return is_finite(run_best) && run_violation == 0; }
  /// Whether the present run has found the best point, or one that is as good.
  [[nodiscard]] bool is_best_of_run() const { return run_best == best_f && run_violation == best_violation; }

  /// Whether the present run has found the best point, or began at it.
  [[nodiscard]] bool is_best_run() const { return best_run == run; }

  /// `is_constrained`: with what is known of constraints.
  void visit(StateVisitor& visitor, bool is_constrained);

 private:
  void note_failures(const Generation& generation, const Matrix& points);
};

}  // namespace surefoot
