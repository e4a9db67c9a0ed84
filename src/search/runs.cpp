#include "search/runs.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/draws.hpp"

namespace surefoot {
namespace {

void visit_plan(StateVisitor& visitor, std::int64_t& number, RunPlan& plan) {
  std::int64_t maxfevals = plan.maxfevals.value_or(-1);
  visitor.integer("run", number);
  visitor.integer("run popsize", plan.popsize);
  visitor.scalar("run sigma factor", plan.sigma_factor);
  visitor.integer("run maxfevals", maxfevals);
  if (plan.popsize < 2 || plan.popsize > largest_size || number < 0 || number > most_runs || !(plan.sigma_factor > 0)) {
    throw std::invalid_argument("checkpoint: the present run makes no sense");
  }
  plan.maxfevals = maxfevals < 0 ? std::nullopt : std::optional(maxfevals);
}

void visit_reached(StateVisitor& visitor, std::optional<Reached>& reached, const Run& run) {
  std::int64_t is_earlier = reached ? 1 : 0;
  visitor.integer("best run is an earlier one", is_earlier);
  if (is_earlier == 0) return;
  if (!reached) reached = Reached{{}, run.reached().categorical};
  reached->visit(visitor, run.domain().search_dimension());
}

}  // namespace

void Runs::begin(Tally& tally, std::int64_t number, const RunPlan& plan, const Vector& mean) {
  run_ = new_run(tally, number, plan, mean);
}

void Runs::begin_again(Tally& tally, const Vector& best) {
  const std::int64_t nfev = tally.run_nfev;
  begin(tally, run_->number(), run_->plan(), best);
  tally.run_nfev = nfev;
  tally.run_best = tally.best_f;
  tally.run_violation = tally.best_violation;
}

/// Counts in the tally what the present run leaves to it.
std::unique_ptr<Run> Runs::new_run(Tally& tally, std::int64_t number, const RunPlan& plan, const Vector& mean) const {
  if (run_) tally.model_seconds += run_->stage().overdraft();
  tally.begin_run(number);
  return std::make_unique<Run>(setup_, number, plan, mean, run_budget(plan, tally), run_model_budget(tally));
}

/// What earlier runs have left.
ModelBudget Runs::run_model_budget(const Tally& tally) const {
  ModelBudget budget = model_budget(setup_.options, setup_.left_open.model);
  budget.seconds = std::max(0.0, budget.seconds - tally.model_seconds);
  return budget;
}

/// What a strategy may plan for. A search that continues with a larger budget keeps the plan of its start, which is
/// state of the strategy.
std::optional<std::int64_t> Runs::run_budget(const RunPlan& plan, const Tally& tally) const {
  if (!setup_.options.maxfevals) return plan.maxfevals;
  const std::int64_t left = std::max<std::int64_t>(1, *setup_.options.maxfevals - tally.nfev);
  return std::min(left, plan.maxfevals.value_or(left));
}

Stop Runs::follow(const Stop& end, Tally& tally) {
  Succession after = succession(sequence_, end, tally);
  sequence_ = std::move(after.sequence);
  tally = std::move(after.tally);
  reached_ = std::move(after.reached);
  if (after.run) run_ = std::move(after.run);
  return after.end;
}

/// Changes nothing: a state that is saved in a callback, at the end of a run, is that after it.
Runs::Succession Runs::succession(RunSequence sequence, const Stop& end, const Tally& tally) const {
  Succession after{std::move(sequence), tally, nullptr, reached_, {}};
  after.sequence.close(*run_, tally, end.reason);
  const auto next = after.sequence.next(*run_, tally, end.reason, setup_.options);
  if (!next) {
    after.end = end_without_restarts(after.sequence, end);
    return after;
  }
  const std::int64_t number = run_->number() + 1;
  const Vector best = setup_.domain->to_search(tally.best_x);
  after.tally.multipliers = multipliers(tally);
  after.run = new_run(after.tally, number, next->plan, next->is_around_best ? best : restart_mean());
  if (next->is_around_best) {
    after.run->stage().remember(best, tally.best_f);
    after.tally.best_run = number;
    after.reached.reset();
  } else if (tally.is_best_run()) {
    after.reached = reached_at_end(tally, end.reason);
  }
  return after;
}

/// Where the model promises no improvement, the strategy's mean lags behind the model's minimum: the best point.
Reached Runs::reached_at_end(const Tally& tally, StopReason reason) const {
  Reached reached = run_->reached();
  if (reason == StopReason::model) reached.distribution.mean = setup_.domain->to_search(tally.best_x);
  return reached;
}

std::optional<Reached> Runs::reached(const Tally& tally) const {
  if (!tally.is_best_run()) return reached_;
  if (!is_closed() || finished().back().stop != StopReason::model) return std::nullopt;
  return reached_at_end(tally, StopReason::model);
}

/// A small run's own budget does not explain the end of the search. Reports how the best converged run ended or,
/// failing that, the last run without such a budget. The first run has none.
Stop Runs::end_without_restarts(const RunSequence& sequence, const Stop& last) const {
  const Restarts& restarts = setup_.options.restarts;
  if (restarts.kind == Restarts::Kind::none || restarts.maximum == 0) return last;
  const std::string used = "restarts used: restarts = " + restarts.text();
  if (last.reason != StopReason::maxfevals) return {last.reason, last.sentence + "; " + used};
  Stop end{sequence.finished().front().stop, used + "; " + last.sentence};
  double best = std::numeric_limits<double>::infinity();
  for (const RunSummary& run : sequence.finished()) {
    const bool is_converged = stop_info(run.stop).kind == StopKind::converged;
    if (run.stop == StopReason::maxfevals || (is_converged ? !(run.fun < best) : is_finite(best))) continue;
    end.reason = run.stop;
    if (is_converged) best = run.fun;
  }
  return end;
}

Vector Runs::multipliers(const Tally& tally) const {
  return tally.is_best_of_run() ? run_->merit().multipliers() : tally.multipliers;
}

/// Where a restart begins.
Vector Runs::restart_mean() const {
  const Options& options = setup_.options;
  const std::int64_t number = run_->number() + 1;
  if (options.restart_point) {
    return setup_.domain->to_search(setup_.domain->checked("restart_point", options.restart_point(number + 1)));
  }
  Matrix z(setup_.domain->search_dimension(), 1);
  CounterNormals(*options.seed, static_cast<std::uint32_t>(number)).fill(start_draw, z);
  return setup_.domain->restart_mean(z.col(0));
}

bool Runs::is_closed() const { return finished().size() > static_cast<std::size_t>(run_->number()); }

Stop Runs::save(StateVisitor& writer, const Stop& end, bool reopens, Tally tally) const {
  Succession now{sequence_, std::move(tally), nullptr, reached_, {}};
  if (reopens) now.sequence.reopen();
  if (end) now = succession(std::move(now.sequence), end, now.tally);
  if (now.tally.is_best_run()) now.reached = reopens || now.run ? std::nullopt : reached(now.tally);
  Run& run = now.run ? *now.run : *run_;
  std::int64_t number = run.number();
  RunPlan plan = run.plan();
  now.tally.visit(writer, !setup_.rules.empty());
  now.sequence.visit(writer);
  visit_plan(writer, number, plan);
  visit_reached(writer, now.reached, run);
  run.visit(writer);
  return now.end;
}

void Runs::restore(StateVisitor& reader, Tally& tally) {
  sequence_ = RunSequence(setup_.options);  // with restarts that the checkpoint may have decided
  sequence_.visit(reader);
  std::int64_t number = 0;
  RunPlan plan = sequence_.first();
  visit_plan(reader, number, plan);
  tally.run = number;
  run_ = std::make_unique<Run>(setup_, number, plan, setup_.domain->start().mean, run_budget(plan, tally),
                               run_model_budget(tally));
  visit_reached(reader, reached_, *run_);
  if (tally.best_run > number || (tally.best_run < number && !reached_)) {
    throw std::invalid_argument("checkpoint: the run that found the best point makes no sense");
  }
  if (tally.is_best_run()) reached_.reset();  // it was for warm starts
  run_->visit(reader);
  run_->stage().resume(tally);
}

}  // namespace surefoot
