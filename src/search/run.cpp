#include "search/run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/invalid_option.hpp"
#include "core/visit_count.hpp"
#include "driver/draws.hpp"
#include "driver/merit/constraint_rules.hpp"
#include "driver/own_strategy.hpp"
#include "search/stages/mixing_stage.hpp"
#include "search/stages/population_stage.hpp"
#include "search/stages/rounds_stage.hpp"
#include "search/stop/stop_state.hpp"

namespace surefoot {
namespace {

/// What the merits of a generation say at first sight.
struct Glance {
  bool has_finite = false;
  bool is_flat = false;  // several finite ones, all equal
};

/// Mostly the first two merits differ and say all.
Glance glance_at(const Vector& merits) {
  bool has_finite = false;
  bool is_flat = false;
  double first = 0;
  for (const double merit : merits) {
    if (!is_finite(merit)) continue;
    if (has_finite && merit != first) return {true, false};
    is_flat = has_finite;
    has_finite = true;
    first = merit;
  }
  return {has_finite, is_flat};
}

Start start_of(const Setup& setup, const RunPlan& plan, const Vector& mean) {
  Start start = setup.domain->start();
  start.mean = mean;
  start.widen(plan.sigma_factor);
  return start;
}

std::unique_ptr<Strategy> strategy_of(const Setup& setup, const RunPlan& plan, const Vector& mean,
                                      std::optional<std::int64_t> budget) {
  auto strategy = strategy_by(setup.options, {.start = start_of(setup, plan, mean),
                                              .popsize = static_cast<Index>(plan.popsize),
                                              .learning_rate = setup.options.learning_rate,
                                              .observed = static_cast<bool>(setup.options.observer),
                                              .budget = budget,
                                              .executor = setup.executor});
  if (setup.domain->is_discrete()) strategy->expect_discrete();
  return strategy;
}

std::unique_ptr<RunStage> stage_of(Run& run, const ModelBudget& model_budget) {
  const Options& options = run.options();
  if (const double least_new = options.mixing.value_or(0); least_new > 0) {
    return std::make_unique<MixingStage>(run, least_new);
  }
  if (options.model == "none") return std::make_unique<PopulationStage>(run);
  const bool is_single = options.restarts.kind == Restarts::Kind::none;  // nothing makes up for its mistakes
  return std::make_unique<RoundsStage>(run, SurrogateRules{.batch = options.batch.size,
                                                           .promise = 10 * options.tolfun,
                                                           .promises = is_single ? 5 : 2,
                                                           .patience = is_single ? 3 : 0,
                                                           .observed = static_cast<bool>(options.observer),
                                                           .budget = model_budget});
}

}  // namespace

Run::Run(const Setup& setup, std::int64_t number, const RunPlan& plan, const Vector& mean,
         std::optional<std::int64_t> budget, const ModelBudget& model_budget)
    : setup_(setup),
      number_(number),
      plan_(plan),
      budget_(budget),
      counters_(std::in_place, *setup.options.seed, static_cast<std::uint32_t>(number)),
      normals_(setup.normals ? *setup.normals : *counters_),
      merit_(make_merit(*setup.domain, setup.options, number)),
      strategy_(strategy_of(setup, plan, mean, budget)),
      criteria_(
          std::make_unique<RunCriteria>(setup.options, strategy_->distribution(), strategy_->popsize(), *setup.domain)),
      margin_(setup.domain->discrete()),
      categorical_(setup.domain->choice_sizes(),
                   static_cast<Index>(setup.domain->discrete().size() + setup.domain->choice_sizes().size())),
      closing_(*this) {
  if (number == 0) categorical_.start_from(setup.domain->start_probabilities());
  plan_.popsize = strategy_->popsize();  // the method may have fitted it
  keep_in_domain();
  stage_ = stage_of(*this, model_budget);
}

/// One evaluation is kept for the mean, which is often better than any sample.
Stage& Run::next_stage(std::int64_t evaluations_left) {
  if (stage_->is_within_generation() || evaluations_left > stage_->least()) return *stage_;
  return closing_;
}

Vector Run::user_mean() const { return surefoot::user_mean(domain(), distribution().mean(), categorical_); }

Vector Run::user_deviations() const {
  Vector deviations;
  distribution().deviations(deviations);
  return surefoot::user_deviations(domain(), std::move(deviations), categorical_);
}

const Matrix& Run::sample(std::uint64_t generation) {
  before_.reset();
  const Matrix& population = strategy_->ask(generation, normals_);
  if (!categorical_.empty()) choices_ = categorical_.sample(choice_draw + generation, *counters_, population.cols());
  return population;
}

/// A generation of equal values says that the distribution is too narrow to see a difference. First generations without
/// any value around a start that has one say that it is too wide; later ones say that evaluations fail.
void Run::learn(const Generation& generation, const Matrix& points, const Vector& f, std::span<const Index> changed,
                const Tally& tally) {
  constexpr double narrowing = 0.5;
  const Vector& merits = merit_->of(f, generation, points, distribution());
  was_corrected_ = false;
  if (merit_->wants_larger_populations() && number_ == 0 && setup_.left_open.popsize) return enlarge_populations();
  const Glance glance = glance_at(merits);
  margin_.note_no_success();
  if (glance.is_flat && !strategy_->is_probing()) {
    widen();
  } else if (glance.has_finite) {
    margin_.note_successes(points, merits, distribution().mean());
    strategy_->tell({points, merits, changed});
    categorical_.learn(choices_, merits);
  } else if (tally.is_narrowing()) {
    scale_deviations(narrowing);
  }
  keep_margin(points.cols());
  keep_in_domain();
}

void Run::correct() {
  was_corrected_ = true;
  strategy_->correct(shift_, factors_);
}

/// Before anything was learned: the run begins where it was, and the generation that said so is only counted.
void Run::enlarge_populations() {
  plan_.popsize = 2 * strategy_->popsize();
  before_ = std::exchange(strategy_, strategy_of(setup_, plan_, distribution().mean(), budget_));
  plan_.popsize = strategy_->popsize();
  criteria_ = std::make_unique<RunCriteria>(setup_.options, distribution(), strategy_->popsize(), *setup_.domain);
  keep_in_domain();
}

/// Only real coordinates: wider discrete ones would be taken for values that are worth leaving.
void Run::widen() {
  constexpr double widening = 1.5;
  if (margin_.empty()) return scale_deviations(widening);
  shift_.setZero(setup_.domain->search_dimension());
  factors_.setOnes(setup_.domain->search_dimension());
  for (Index k = 0; k < factors_.size(); ++k) {
    if (setup_.domain->is_real(k)) factors_[k] = widening;
  }
  correct();
}

void Run::keep_margin(Index popsize) {
  if (!setup_.domain->is_discrete() || !distribution().is_finite()) return;
  const bool changes = !margin_.empty() && margin_.correction(distribution(), popsize, shift_, factors_);
  if (changes) correct();
  criteria_->note_settled(margin_.has_settled(distribution().dimension(), popsize) && categorical_.has_settled());
}

void Run::scale_deviations(double factor) {
  shift_.setZero(setup_.domain->search_dimension());
  factors_.setConstant(setup_.domain->search_dimension(), factor);
  correct();
}

void Run::keep_in_domain() {
  if (setup_.domain->correction(distribution(), shift_, factors_)) correct();
}

Stop Run::test(const Vector& f, const Tally& tally) {
  if (phase_.stop) return met_feasible_point(tally);
  Stop stop = criteria_->test(*strategy_, merit_->tested(f), tally.run_nit);
  if (!stop) {
    if (Stop rounding = met_rounding()) stop = std::move(rounding);
  }
  if (!lacks_feasible_point(stop, tally)) return stop;
  phase_ = {stop, tally.run_nfev};
  merit_->seek_feasibility(true);
  return {};
}

/// At an active constraint a Lagrangian is flat where f is not: its differences drown in rounding while those of f are
/// still far above the tolerances.
Stop Run::met_rounding() {
  constexpr std::int64_t enough = 30;
  rounded_ = merit_->is_at_rounding() ? rounded_ + 1 : std::max<std::int64_t>(0, rounded_ - 1);
  if (rounded_ < enough || setup_.options.tolfun <= 0) return {};
  return {StopReason::tolfun, "converged: values of the population with their constraints differ by rounding only"};
}

/// A Lagrangian comes to the optimum from both sides: where it ends, all candidates may be infeasible by a little, and
/// the best feasible point may be an old one.
bool Run::lacks_feasible_point(const Stop& stop, const Tally& tally) const {
  if (!merit_->may_miss_feasible_points() || stop_info(stop.reason).kind != StopKind::converged) return false;
  return !tally.is_run_best_feasible() || tally.run_best > criteria_->lowest() + clear_difference();
}

Stop Run::met_feasible_point(const Tally& tally) {
  const std::int64_t most = 100 + 20 * static_cast<std::int64_t>(setup_.domain->search_dimension());
  const std::int64_t used = tally.run_nfev - phase_.begin;
  const bool can_go_on = distribution().is_finite() && distribution().sigma() > 0;
  if (!merit_->has_feasible() && used < most && can_go_on) return {};
  Stop stop = phase_.stop;
  stop.sentence += ", and " + text(used) + " evaluations more were for a feasible point";
  phase_ = {};
  merit_->seek_feasibility(false);
  return stop;
}

Stop Run::met_budget(const Tally& tally) const {
  const Options& options = setup_.options;
  if (plan_.maxfevals && tally.run_nfev >= *plan_.maxfevals) {
    return {StopReason::maxfevals, "budget of a small run used: " + text(tally.run_nfev) + " evaluations"};
  }
  if (options.maxfevals || options.maxiter) return {};
  const std::int64_t limit = default_maxiter(setup_.domain->search_dimension(), plan_.popsize);
  if (criteria_->steps() < static_cast<double>(limit)) return {};
  const std::string slow = limit < tally.run_nit ? " steps" : "";
  return {StopReason::maxiter, "budget used: " + text(tally.run_nit) + " generations, maxiter = " + text(limit) + slow};
}

double Run::clear_difference() const {
  return std::max({1e3 * setup_.options.tolfun, 1e-9 * std::abs(criteria_->lowest()), 1e-12 * criteria_->first_range(),
                   criteria_->recent_range()});
}

bool Run::has_missed_best(StopReason reason, const Tally& tally) const {
  const bool is_converged = stop_info(reason).kind == StopKind::converged;
  return is_converged && tally.run_violation == 0 &&
         tally.run_best < criteria_->lowest() - clear_difference() - merit_->slack();
}

RunSummary Run::summary(const Tally& tally, StopReason reason) const {
  return {plan_.popsize, plan_.sigma_factor, tally.run_nfev + tally.run_repeats, tally.run_nit, tally.run_best, reason};
}

void Run::visit(StateVisitor& visitor) {
  strategy_->visit(visitor);
  criteria_->visit(visitor);
  merit_->visit(visitor);
  if (!margin_.empty()) margin_.visit(visitor);
  categorical_.visit(visitor);
  stage_->visit(visitor);
  if (!constraint_rules(setup_.options).empty()) visit_phase(visitor);
}

void Run::visit_phase(StateVisitor& visitor) {
  visit_stop(visitor, "phase", phase_.stop);
  visit_count(visitor, "phase begin", phase_.begin);
  visit_count(visitor, "generations at rounding", rounded_);
}

}  // namespace surefoot
