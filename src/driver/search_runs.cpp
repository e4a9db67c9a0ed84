// The runs of a search: how one begins, and what follows its end.

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "driver/draws.hpp"
#include "driver/search.hpp"

namespace surefoot {

void Search::begin_run(std::int64_t number, const RunPlan& plan, const Vector& mean) {
  run_ = new_run(tally_, number, plan, mean);
}

std::unique_ptr<Run> Search::new_run(Tally& tally, std::int64_t number, const RunPlan& plan, const Vector& mean) const {
  if (run_ && run_->rounds() != nullptr) tally.model_seconds += run_->rounds()->surrogate().overdraft();
  tally.begin_run();
  return std::make_unique<Run>(setup_, number, plan, mean, run_budget(plan), run_model_budget(tally));
}

/// What earlier runs have left.
ModelBudget Search::run_model_budget(const Tally& tally) const {
  ModelBudget budget = model_budget(setup_.options, setup_.left_open.model);
  budget.seconds = std::max(0.0, budget.seconds - tally.model_seconds);
  return budget;
}

/// What a strategy may plan for. A search that goes on with a larger budget keeps the plan of its start, which is state
/// of the strategy.
std::optional<std::int64_t> Search::run_budget(const RunPlan& plan) const {
  if (!setup_.options.maxfevals) return plan.maxfevals;
  const std::int64_t left = std::max<std::int64_t>(1, evaluations_left());
  return std::min(left, plan.maxfevals.value_or(left));
}

void Search::end_run() {
  Succession after = succession(runs_);
  runs_ = std::move(after.runs);
  tally_ = std::move(after.tally);
  run_stop_ = {};
  if (after.run) {
    run_ = std::move(after.run);
  } else {
    stop_ = std::move(after.end);
    is_over_ = true;
  }
}

/// Changes nothing of the search: a state that is saved in a callback, at the end of a run, is that after it.
Search::Succession Search::succession(RunSequence runs) const {
  Succession after{std::move(runs), tally_, nullptr, {}};
  after.runs.close(*run_, tally_, run_stop_.reason);
  const auto next = after.runs.next(*run_, tally_, run_stop_.reason, setup_.options);
  if (!next) {
    after.end = end_without_restarts(after.runs);
    return after;
  }
  const Vector best = setup_.domain->to_search(tally_.best_x);
  after.tally.multipliers = multipliers();
  after.run = new_run(after.tally, run_->number() + 1, next->plan, next->is_around_best ? best : restart_mean());
  if (next->is_around_best && after.run->rounds() != nullptr) after.run->rounds()->remember(best, tally_.best_f);
  return after;
}

/// The budget of a small run is none of the search: what is told then is how the best of the runs that have converged
/// did so or, without one, how the last run ended that had no such budget. The first run has none.
Stop Search::end_without_restarts(const RunSequence& runs) const {
  const Restarts& restarts = setup_.options.restarts;
  if (restarts.kind == Restarts::Kind::none || restarts.maximum == 0) return run_stop_;
  const std::string used = "restarts used: restarts = " + restarts.text();
  if (run_stop_.reason != StopReason::maxfevals) return {run_stop_.reason, run_stop_.sentence + "; " + used};
  Stop end{runs.finished().front().stop, used + "; " + run_stop_.sentence};
  double best = std::numeric_limits<double>::infinity();
  for (const RunSummary& run : runs.finished()) {
    const bool is_converged = stop_info(run.stop).kind == StopKind::converged;
    if (run.stop == StopReason::maxfevals || (is_converged ? !(run.fun < best) : is_finite(best))) continue;
    end.reason = run.stop;
    if (is_converged) best = run.fun;
  }
  return end;
}

Vector Search::multipliers() const {
  return tally_.is_best_of_run() ? run_->merit().multipliers() : tally_.multipliers;
}

/// Where a restart begins.
Vector Search::restart_mean() const {
  const Options& options = setup_.options;
  const std::int64_t number = run_->number() + 1;
  if (options.restart_point) {
    return setup_.domain->to_search(setup_.domain->checked("restart_point", options.restart_point(number + 1)));
  }
  Matrix z(setup_.domain->search_dimension(), 1);
  CounterNormals(*options.seed, static_cast<std::uint32_t>(number)).fill(start_draw, z);
  return setup_.domain->restart_mean(z.col(0));
}

bool Search::is_run_closed() const { return runs_.finished().size() > static_cast<std::size_t>(run_->number()); }

}  // namespace surefoot
