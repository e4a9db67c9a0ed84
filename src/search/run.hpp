#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/discrete/categorical.hpp"
#include "core/discrete/margin.hpp"
#include "driver/merit/merit.hpp"
#include "driver/model/model_choice.hpp"
#include "driver/restart_schedule.hpp"
#include "driver/setup.hpp"
#include "search/reached.hpp"
#include "search/stages/closing_stage.hpp"
#include "search/stages/run_stage.hpp"
#include "search/stop/run_criteria.hpp"
#include "search/tally.hpp"
#include "surefoot/result.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot {

/// One run of a search: a strategy, where its normals come from, what is ranked and what ends it. Its stages hand out
/// what it samples, and teach it.
class Run {
 public:
  /// Begins at `mean`, in search coordinates. `budget` is what the strategy may plan for, `model_budget` what a model
  /// may take. The setup must outlive it.
  Run(const Setup& setup, std::int64_t number, const RunPlan& plan, const Vector& mean,
      std::optional<std::int64_t> budget, const ModelBudget& model_budget);
  Run(const Run&) = delete;
  Run(Run&&) = delete;
  Run& operator=(const Run&) = delete;
  Run& operator=(Run&&) = delete;
  ~Run() = default;

  [[nodiscard]] std::int64_t number() const { return number_; }  // 0, 1, ...
  [[nodiscard]] const RunPlan& plan() const { return plan_; }
  [[nodiscard]] const Domain& domain() const { return *setup_.domain; }
  [[nodiscard]] const Options& options() const { return setup_.options; }
  [[nodiscard]] const Strategy& strategy() const { return *strategy_; }
  [[nodiscard]] const Distribution& distribution() const { return strategy_->distribution(); }
  [[nodiscard]] const RunCriteria& criteria() const { return *criteria_; }
  [[nodiscard]] const Merit& merit() const { return *merit_; }

  /// A population in search coordinates. It stays until the next one.
  const Matrix& sample(std::uint64_t generation);
  /// Normals of a generation, as many rows and columns as the block has.
  void fill(std::uint64_t generation, Matrix& block) { normals_.fill(generation, block); }
  /// The choices that go with it, one row each.
  [[nodiscard]] const Matrix& choices() const { return choices_; }
  /// Takes over choices that the caller has replaced.
  void replace_choices(Index candidate, const Vector& choices) {
    if (choices.size() > 0) choices_.col(candidate) = choices;
  }

  /// What it does in most of its generations.
  [[nodiscard]] RunStage& stage() { return *stage_; }
  [[nodiscard]] const RunStage& stage() const { return *stage_; }
  /// What it does with the rest of a budget.
  [[nodiscard]] ClosingStage& closing() { return closing_; }
  [[nodiscard]] Stage& next_stage(std::int64_t evaluations_left);

  [[nodiscard]] Reached reached() const { return {distribution().snapshot(), categorical_}; }
  /// The user's coordinates, with the most probable choices.
  [[nodiscard]] Vector user_mean() const;
  [[nodiscard]] Vector user_deviations() const;

  /// Learns from the ranking of the last population. `changed` are columns of `points` that the caller has replaced.
  void learn(const Generation& generation, const Matrix& points, const Vector& f, std::span<const Index> changed,
             const Tally& tally);

  /// Whether anything but the strategy's own rule has moved the distribution in the last `learn`.
  [[nodiscard]] bool was_corrected() const { return was_corrected_; }

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
  [[nodiscard]] bool lacks_feasible_point(const Stop& stop, const Tally& tally) const;
  [[nodiscard]] Stop met_feasible_point(const Tally& tally);
  void visit_phase(StateVisitor& visitor);
  void correct();
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
  FeasibilityPhase phase_;
  std::int64_t rounded_ = 0;  // generations at rounding, less those that were not
  bool was_corrected_ = false;
  Vector shift_, factors_;  // workspace of corrections
  std::unique_ptr<RunStage> stage_;
  ClosingStage closing_;
};

}  // namespace surefoot
