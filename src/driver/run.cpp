#include "driver/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/draws.hpp"
#include "surefoot/method.hpp"

namespace surefoot {
namespace {

/// What the merits of a generation say at first sight.
struct Glance {
  Index finite = 0;
  bool is_flat = false;  // several finite ones, all equal
};

Glance glance_at(const Vector& merits) {
  Index finite = 0;
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -lowest;
  for (const double merit : merits) {
    if (!is_finite(merit)) continue;
    ++finite;
    lowest = std::min(lowest, merit);
    highest = std::max(highest, merit);
  }
  return {finite, finite > 1 && lowest == highest};
}

Start start_of(const Setup& setup, const RunPlan& plan, const Vector& mean) {
  Start start = setup.domain->start();
  start.mean = mean;
  start.widen(plan.sigma_factor);
  return start;
}

}  // namespace

Run::Run(const Setup& setup, std::int64_t number, const RunPlan& plan, const Vector& mean,
         std::optional<std::int64_t> budget, const ModelBudget& model_budget)
    : setup_(setup),
      number_(number),
      plan_(plan),
      counters_(std::in_place, *setup.options.seed, static_cast<std::uint32_t>(number)),
      normals_(setup.normals ? *setup.normals : *counters_),
      merit_(make_merit(*setup.domain)),
      strategy_(make_strategy(setup.options.method, {.start = start_of(setup, plan, mean),
                                                     .popsize = static_cast<Index>(plan.popsize),
                                                     .learning_rate = setup.options.learning_rate,
                                                     .observed = static_cast<bool>(setup.options.observer),
                                                     .budget = budget})),
      criteria_(
          std::make_unique<RunCriteria>(setup.options, strategy_->distribution(), strategy_->popsize(), *setup.domain)),
      margin_(setup.domain->discrete()),
      categorical_(setup.domain->choice_sizes(),
                   static_cast<Index>(setup.domain->discrete().size() + setup.domain->choice_sizes().size())) {
  if (setup.domain->is_discrete()) strategy_->expect_discrete();
  if (number == 0) categorical_.start_from(setup.domain->start_probabilities());
  plan_.popsize = strategy_->popsize();  // the method may have fitted it
  keep_in_domain();
  if (setup.options.model == "none") return;
  rounds_.emplace(*setup.domain, strategy_->popsize(),
                  SurrogateRules{.batch = setup.options.batch.size,
                                 .promise = 10 * setup.options.tolfun,
                                 .promises = setup.options.restarts.kind == Restarts::Kind::none ? 5 : 2,
                                 .observed = static_cast<bool>(setup.options.observer),
                                 .budget = model_budget});
}

const Matrix& Run::sample(std::uint64_t generation) {
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
  const Glance glance = glance_at(merits);
  margin_.note_no_success();
  if (glance.is_flat && !strategy_->is_probing()) {
    widen();
  } else if (glance.finite > 0) {
    margin_.note_successes(points, merits, distribution().mean());
    strategy_->tell({points, merits, changed});
    categorical_.learn(choices_, merits);
  } else if (tally.is_narrowing()) {
    scale_deviations(narrowing);
  }
  keep_margin(points.cols());
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
  strategy_->correct(shift_, factors_);
}

void Run::keep_margin(Index popsize) {
  if (!setup_.domain->is_discrete() || !distribution().is_finite()) return;
  const bool changes = !margin_.empty() && margin_.correction(distribution(), popsize, shift_, factors_);
  if (changes) strategy_->correct(shift_, factors_);
  criteria_->note_settled(margin_.has_settled(distribution().dimension(), popsize) && categorical_.has_settled());
}

void Run::begin_rounds(std::uint64_t generation) { rounds_->begin(sample(generation), distribution()); }

/// Tests see true values only: the strategy alone is told what the model makes of the others.
Stop Run::learn_from_rounds(const Tally& tally) {
  const Surrogate& surrogate = rounds_->surrogate();
  Generation generation;
  rounds_->write_outcomes(generation);
  learn(generation, rounds_->population(), surrogate.values(), rounds_->changed(), tally);
  Stop stop = test(surrogate.true_values(), tally);
  return stop ? stop : met_promise();
}

Stop Run::met_promise() const {
  if (!rounds_->surrogate().has_converged()) return {};
  return {StopReason::model, "converged: the model promises no improvement above " +
                                 short_text(10 * setup_.options.tolfun) + ", 10 tolfun"};
}

void Run::scale_deviations(double factor) {
  shift_.setZero(setup_.domain->search_dimension());
  factors_.setConstant(setup_.domain->search_dimension(), factor);
  strategy_->correct(shift_, factors_);
}

void Run::keep_in_domain() {
  if (setup_.domain->correction(distribution(), shift_, factors_)) strategy_->correct(shift_, factors_);
}

Stop Run::test(const Vector& f, const Tally& tally) { return criteria_->test(*strategy_, f, tally.run_nit); }

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
  return is_converged && tally.run_best < criteria_->lowest() - clear_difference();
}

RunSummary Run::summary(const Tally& tally, StopReason reason) const {
  return {plan_.popsize, plan_.sigma_factor, tally.run_nfev, tally.run_nit, tally.run_best, reason};
}

void Run::visit(StateVisitor& visitor) {
  strategy_->visit(visitor);
  criteria_->visit(visitor);
  merit_->visit(visitor);
  if (!margin_.empty()) margin_.visit(visitor);
  categorical_.visit(visitor);
  if (rounds_) rounds_->visit(visitor);
}

}  // namespace surefoot
