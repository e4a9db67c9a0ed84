#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/discrete/categorical.hpp"
#include "core/discrete/margin.hpp"
#include "driver/merit/merit.hpp"
#include "driver/model/rounds.hpp"
#include "driver/restart_schedule.hpp"
#include "driver/setup.hpp"
#include "driver/stop_criteria.hpp"
#include "driver/tally.hpp"
#include "surefoot/result.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot {

/// One run of a search: a strategy, where its normals come from, what is ranked and what ends it.
class Run {
 public:
  /// Begins at `mean`, in search coordinates. `budget` is what the strategy may plan for, `model_budget` what a model
  /// may take. The setup must outlive it.
  Run(const Setup& setup, std::int64_t number, const RunPlan& plan, const Vector& mean,
      std::optional<std::int64_t> budget, const ModelBudget& model_budget);

  [[nodiscard]] std::int64_t number() const { return number_; }  // 0, 1, ...
  [[nodiscard]] const RunPlan& plan() const { return plan_; }
  [[nodiscard]] const Strategy& strategy() const { return *strategy_; }
  [[nodiscard]] const Distribution& distribution() const { return strategy_->distribution(); }
  [[nodiscard]] const RunCriteria& criteria() const { return *criteria_; }
  [[nodiscard]] const Merit& merit() const { return *merit_; }

  /// A population in search coordinates. It stays until the next one.
  const Matrix& sample(std::uint64_t generation);
  /// The choices that go with it, one row each.
  [[nodiscard]] const Matrix& choices() const { return choices_; }
  /// Takes over choices that the caller has replaced.
  void replace_choices(Index candidate, const Vector& choices) {
    if (choices.size() > 0) choices_.col(candidate) = choices;
  }
  [[nodiscard]] const Categorical& categorical() const { return categorical_; }

  /// What a model makes of populations; null without one.
  [[nodiscard]] Rounds* rounds() { return rounds_ ? &*rounds_ : nullptr; }
  [[nodiscard]] const Rounds* rounds() const { return rounds_ ? &*rounds_ : nullptr; }
  /// Whether a generation with a model has begun and still needs values.
  [[nodiscard]] bool is_within_generation() const { return rounds_ && rounds_->is_within(); }
  /// Samples a population and hands it to the model.
  void begin_rounds(std::uint64_t generation);
  /// Learns from a generation that is complete, and says whether the run is over.
  [[nodiscard]] Stop learn_from_rounds(const Tally& tally);

  /// Learns from the ranking of the last population. `changed` are columns of `points` that the caller has replaced.
  void learn(const Generation& generation, const Matrix& points, const Vector& f, std::span<const Index> changed,
             const Tally& tally);

  /// Whether the run is over, by its values and its distribution.
  [[nodiscard]] Stop test(const Vector& f, const Tally& tally);
  /// Whether it is over by what was planned for it.
  [[nodiscard]] Stop met_budget(const Tally& tally) const;

  /// What is a clear difference of values.
  [[nodiscard]] double clear_difference() const;
  /// Whether a run that ends for this reason does so at a point that is clearly worse than the best one it has seen: a
  /// lucky sample of another valley.
  [[nodiscard]] bool has_missed_best(StopReason reason, const Tally& tally) const;

  [[nodiscard]] RunSummary summary(const Tally& tally, StopReason reason) const;

  void visit(StateVisitor& visitor);

 private:
  /// What a run with constraints does when it has converged without a feasible point that is worth its end: it looks
  /// for one where it is.
  struct FeasibilityPhase {
    Stop stop;               // by which the run has converged; none outside of the phase
    std::int64_t begin = 0;  // evaluations of the run when it began
  };

  [[nodiscard]] Stop met_rounding();

  [[nodiscard]] Stop met_promise() const;
  [[nodiscard]] Stop met_resolution() const;
  [[nodiscard]] bool lacks_feasible_point(const Stop& stop, const Tally& tally) const;
  [[nodiscard]] Stop met_feasible_point(const Tally& tally);
  void visit_phase(StateVisitor& visitor);
  void enlarge_populations();
  void scale_deviations(double factor);
  void widen();
  void keep_margin(Index popsize);
  void keep_in_domain();

  const Setup& setup_;
  std::int64_t number_;
  RunPlan plan_;
  std::optional<std::int64_t> budget_;  // of the strategy
  std::optional<CounterNormals> counters_;
  NormalSource& normals_;
  std::unique_ptr<Merit> merit_;
  std::unique_ptr<Strategy> strategy_;
  std::unique_ptr<Strategy> before_;  // in place of which it came; the present generation may refer to its population
  std::unique_ptr<RunCriteria> criteria_;
  Margin margin_;
  Categorical categorical_;
  Matrix choices_;
  std::optional<Rounds> rounds_;
  FeasibilityPhase phase_;
  std::int64_t rounded_ = 0;  // generations at rounding, less those that were not
  Vector shift_, factors_;    // workspace of corrections
};

}  // namespace surefoot
