#include "driver/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/completed_options.hpp"

namespace surefoot {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Generations of normals that no search reaches, for the draws of a restart.
constexpr std::uint64_t start_draw = (std::uint64_t{1} << 48U) - 1;
constexpr std::uint64_t schedule_draw = start_draw - 1;

double uniform_of(double normal) { return std::erfc(-normal / std::sqrt(2.0)) / 2; }

/// Ends that are what was wanted if no target was given.
bool is_converged(StopReason reason) {
  switch (reason) {
    case StopReason::vanished:
    case StopReason::tolx:
    case StopReason::tolfun:
    case StopReason::tolfunhist:
    case StopReason::noeffectaxis:
    case StopReason::noeffectcoord: return true;
    default: return false;
  }
}

}  // namespace

Search::Search(const Vector& x0, const Sigma0& sigma0, Options options, std::unique_ptr<NormalSource> normals)
    : bounds_(options.bounds, checked_start(x0)),
      has_given_seed_(options.seed.has_value()),
      options_(completed(std::move(options), bounds_.search_dimension())),
      given_normals_(std::move(normals)),
      start_mean_(bounds_.to_search(x0)),
      start_deviations_(start_deviations(sigma0, bounds_)),
      largest_deviations_(bounds_.largest_deviations()),
      schedule_(options_.restarts, *options_.popsize),
      best_x_(x0) {
  begin_run(schedule_.first(), start_mean_);
}

Search::Search(const SearchDistribution& start, Options options)
    : bounds_(options.bounds, checked_start(start.mean)),
      has_given_seed_(options.seed.has_value()),
      options_(completed(std::move(options), start.dimension())),
      start_mean_(start.mean),
      start_deviations_(start.standard_deviations()),
      largest_deviations_(bounds_.largest_deviations()),
      warm_start_(start),
      schedule_(options_.restarts, *options_.popsize),
      best_x_(start.mean) {
  if (bounds_.is_active()) throw std::invalid_argument("bounds: not together with a start distribution");
  begin_run(schedule_.first(), start_mean_);
}

const Matrix& Search::ask() {
  if (population_ == nullptr) {
    population_ = &strategy_->ask(static_cast<std::uint64_t>(run_nit_), *normals_);
    if (bounds_.is_active()) bounds_.to_user(*population_, user_population_);
    generation_.start(user_population());
  }
  return user_population();
}

Generation& Search::generation() {
  ask();
  return generation_;
}

/// Evaluated; test for the end, update, test whether the run is over.
void Search::tell(const Matrix& candidates, const Vector& values) {
  check(candidates, values);
  count(candidates, values);
  Stop run_stop;
  stop_ = met_end();
  if (stop_) {
    keep_unapplied(candidates, values);
  } else {
    update(candidates, values);
    // After the update, so that a distribution which cannot be sampled is never handed to the objective.
    run_stop = criteria_->test(*strategy_, values, run_nit_);
    if (!run_stop) run_stop = met_run_budget();
  }
  if (!is_unapplied_) population_ = nullptr;
  notify(run_stop || stop_);
  if (!stop_ && run_stop) end_run(run_stop);
  if (stop_ && finished_runs_.size() <= static_cast<std::size_t>(run_)) close_run(stop_.reason);
}

void Search::tell_generation() {
  if (population_ == nullptr) throw std::invalid_argument("tell: call ask first");
  if (!generation_.is_complete()) return abandon(cancel_reason());
  generation_.write_values(values_);
  tell(user_population(), values_);
}

void Search::abandon(StopReason reason) {
  if (stop_) return;
  stop_ = reason == StopReason::timeout ? timed_out() : Stop{reason, "interrupted"};
  close_run(reason);
}

void Search::keep_unapplied(const Matrix& candidates, const Vector& values) {
  is_unapplied_ = &candidates == &user_population();
  if (!is_unapplied_) return;
  for (Index i = 0; i < values.size(); ++i) {
    if (generation_.is_open(i)) generation_.restore(i, values[i], 1);
  }
}

void Search::recount_unapplied(int sign) {
  nit_ += sign;
  run_nit_ += sign;
  nfev_ += sign * generation_.size();
  run_nfev_ += sign * generation_.size();
  nfailed_ += sign * last_failed_;
  std::swap(failed_generations_, failed_generations_before_);
}

SearchDistribution Search::first_distribution() const {
  return warm_start_ ? *warm_start_ : SearchDistribution::axis_parallel(start_mean_, start_deviations_);
}

void Search::begin_run(const RunPlan& plan, const Vector& mean) {
  plan_ = plan;
  run_mean_ = mean;
  run_nit_ = run_nfev_ = 0;
  run_best_ = nan;
  SearchDistribution start = first_distribution();
  start.mean = mean;
  start.sigma *= plan.sigma_factor;
  if (bounds_.is_active() && start.exceeds(largest_deviations_)) {
    start.scale_coordinates(start.limiting_factors(largest_deviations_));
  }
  if (!given_normals_) own_normals_.emplace(*options_.seed, static_cast<std::uint32_t>(run_));
  normals_ = given_normals_ ? given_normals_.get() : &*own_normals_;
  criteria_ = std::make_unique<RunCriteria>(options_, start, static_cast<Index>(plan.popsize));
  strategy_ = make_strategy(options_.method, {.start = std::move(start),
                                              .popsize = static_cast<Index>(plan.popsize),
                                              .learning_rate = options_.learning_rate,
                                              .observed = static_cast<bool>(options_.observer),
                                              .budget = run_budget()});
  generation_.on_cancel([this] { return cancel_reason() != StopReason::none; });
}

/// What a strategy may plan for. A search that goes on with a larger budget keeps the plan of its start, which is state
/// of the strategy.
std::optional<std::int64_t> Search::run_budget() const {
  if (!options_.maxfevals) return plan_.maxfevals;
  const std::int64_t left = std::max<std::int64_t>(1, *options_.maxfevals - nfev_);
  return std::min(left, plan_.maxfevals.value_or(left));
}

void Search::close_run(StopReason reason) {
  finished_runs_.push_back({plan_.popsize, plan_.sigma_factor, run_nfev_, run_nit_, run_best_, reason});
}

void Search::end_run(const Stop& run_stop) {
  close_run(run_stop.reason);
  Matrix draws(1, 2);
  CounterNormals(*options_.seed, static_cast<std::uint32_t>(run_)).fill(schedule_draw, draws);
  const auto plan = schedule_.next(run_nfev_, uniform_of(draws(0, 0)), uniform_of(draws(0, 1)));
  if (!plan) {
    stop_ = run_stop;
    is_over_ = true;
    return;
  }
  ++run_;
  begin_run(*plan, restart_mean());
}

Vector Search::restart_mean() const {
  if (options_.restart_point) return bounds_.to_search(checked_restart_point(options_.restart_point(run_ + 1)));
  Matrix z(start_mean_.size(), 1);
  CounterNormals(*options_.seed, static_cast<std::uint32_t>(run_)).fill(start_draw, z);
  if (!bounds_.is_box() || !bounds_.is_active()) {
    const SearchDistribution first = first_distribution();
    return first.mean + first.sigma * (first.B * z.col(0));
  }
  Vector mean(z.rows());
  const Vector low = bounds_.searched(bounds_.lower());
  const Vector high = bounds_.searched(bounds_.upper());
  for (Index k = 0; k < mean.size(); ++k) {
    mean[k] = transform_back(low[k], high[k], low[k] + (high[k] - low[k]) * uniform_of(z(k, 0)));
  }
  return mean;
}

Vector Search::checked_restart_point(const Vector& x) const {
  if (x.size() != best_x_.size()) {
    reject("restart_point", "a list of " + text(x.size()) + " numbers", "it needs " + text(best_x_.size()));
  }
  if (!x.allFinite()) throw std::invalid_argument("restart_point: every coordinate must be finite");
  if (bounds_.is_active() && ((x.array() < bounds_.lower().array()) || (x.array() > bounds_.upper().array())).any()) {
    throw std::invalid_argument("restart_point: it must be within the bounds");
  }
  return x;
}

void Search::check(const Matrix& candidates, const Vector& values) const {
  const Index d = best_x_.size();
  const Index popsize = strategy_->popsize();
  if (stop_) throw std::invalid_argument("tell: the search has stopped (" + std::string(name(stop_.reason)) + ")");
  if (population_ == nullptr) throw std::invalid_argument("tell: call ask first");
  if (candidates.rows() != d || candidates.cols() != popsize) {
    reject("tell: candidates", "a " + text(candidates.rows()) + " x " + text(candidates.cols()) + " matrix",
           "it must be d x popsize, " + text(d) + " x " + text(popsize));
  }
  if (values.size() != popsize) {
    reject("tell: values", "a list of " + text(values.size()) + " numbers",
           "one per candidate is needed, " + text(popsize));
  }
  if (&candidates != &user_population() && !candidates.allFinite()) {
    throw std::invalid_argument("tell: candidates hold NaN or infinity; they must be finite");
  }
  if (&candidates != &user_population() && bounds_.is_active() &&
      ((candidates.colwise() - bounds_.lower()).array() < 0 || (candidates.colwise() - bounds_.upper()).array() > 0)
          .any()) {
    throw std::invalid_argument("tell: candidates must be within the bounds");
  }
}

void Search::count(const Matrix& candidates, const Vector& values) {
  ++nit_;
  ++run_nit_;
  nfev_ += values.size();
  run_nfev_ += values.size();
  generation_best_ = nan;
  Index failed = 0;
  for (Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      if (values[i] != std::numeric_limits<double>::infinity()) ++failed;
      continue;
    }
    if (!(generation_best_ <= values[i])) generation_best_ = values[i];
    if (best_f_ <= values[i]) continue;
    best_f_ = values[i];
    best_x_ = candidates.col(i);
  }
  if (!(run_best_ <= generation_best_) && !std::isnan(generation_best_)) run_best_ = generation_best_;
  nfailed_ += failed;
  last_failed_ = failed;
  failed_generations_before_ = failed_generations_;
  failed_generations_ = failed == values.size() ? failed_generations_ + 1 : 0;
}

void Search::update(const Matrix& candidates, const Vector& values) {
  if (&candidates == &user_population()) {
    strategy_->tell(*population_, values);
  } else if (!bounds_.is_active()) {
    strategy_->tell(candidates, values);
  } else {
    Matrix changed = *population_;
    for (Index i = 0; i < candidates.cols(); ++i) {
      if (candidates.col(i) != user_population_.col(i)) changed.col(i) = bounds_.to_search(candidates.col(i));
    }
    strategy_->tell(changed, values);
  }
  if (bounds_.is_active()) strategy_->limit_deviations(largest_deviations_);
}

Stop Search::met_end() const {
  const Options& o = options_;
  if (o.ftarget && best_f_ <= *o.ftarget) {
    return {StopReason::ftarget, "target reached: f = " + short_text(best_f_) + " <= ftarget = " + text(*o.ftarget)};
  }
  if (failed_generations_ >= o.failures.generations) {
    return {StopReason::failing, "failing: all evaluations of " + text(failed_generations_) +
                                     " generations in a row failed" + last_failure()};
  }
  const double share = static_cast<double>(nfailed_) / static_cast<double>(nfev_);
  if (nfev_ >= 100 && share > o.failures.fraction) {
    return {StopReason::failing, "failing: " + text(nfailed_) + " of " + text(nfev_) +
                                     " evaluations failed, more than the fraction " + text(o.failures.fraction) +
                                     last_failure()};
  }
  if (o.maxfevals && nfev_ >= *o.maxfevals) {
    return {StopReason::maxfevals, "budget used: " + text(nfev_) + " evaluations, maxfevals = " + text(*o.maxfevals)};
  }
  if (o.maxiter && nit_ >= *o.maxiter) {
    return {StopReason::maxiter, "budget used: " + text(nit_) + " generations, maxiter = " + text(*o.maxiter)};
  }
  const StopReason cancelled = cancel_reason();
  if (cancelled == StopReason::timeout) return timed_out();
  if (cancelled != StopReason::none) return {cancelled, "interrupted"};
  return {};
}

Stop Search::met_run_budget() const {
  if (plan_.maxfevals && run_nfev_ >= *plan_.maxfevals) {
    return {StopReason::maxfevals, "budget of a small run used: " + text(run_nfev_) + " evaluations"};
  }
  if (options_.maxfevals || options_.maxiter) return {};
  const std::int64_t limit = default_maxiter(start_mean_.size(), plan_.popsize);
  if (criteria_->steps() < static_cast<double>(limit)) return {};
  const std::string slow = limit < run_nit_ ? " steps" : "";
  return {StopReason::maxiter, "budget used: " + text(run_nit_) + " generations, maxiter = " + text(limit) + slow};
}

std::string Search::last_failure() const {
  if (generation_.failures().empty()) return {};
  const Failure& last = generation_.failures().back();
  return "; the last one: " + std::string(name(last.kind)) + ", " + last.reason;
}

double Search::elapsed() const {
  return elapsed_before_ + std::chrono::duration<double>(Clock::now() - begin_).count();
}

Stop Search::timed_out() const {
  return {StopReason::timeout, "time used: timeout = " + text(options_.timeout.value_or(0)) + " s"};
}

StopReason Search::cancel_reason() const {
  if (options_.interrupt && options_.interrupt()) return StopReason::interrupted;
  if (options_.timeout && elapsed() >= *options_.timeout) return StopReason::timeout;
  return StopReason::none;
}

void Search::notify(bool is_last) {
  if (!options_.observer && !options_.callback) return;
  const LearningRates rates = strategy_->rates();
  const PathLength path = strategy_->path().value_or(PathLength{nan, nan});
  const SearchDistribution& distribution = strategy_->distribution();
  // The O(d^3) of the condition would dwarf a generation of many dimensions.
  const std::int64_t interval = 1 + distribution.dimension() / 20;
  if (options_.observer && (run_nit_ % interval == 0 || run_nit_ == 1 || is_last)) {
    condition_ = distribution.condition();
  }
  Record record{.generation = nit_,
                .nfev = nfev_,
                .best = best_f_,
                .generation_best = generation_best_,
                .sigma = distribution.sigma,
                .eta_m = rates.mean,
                .eta_sigma = rates.sigma,
                .eta_B = rates.B,
                .l_theta = path.l_theta,
                .gamma = path.gamma,
                .condition = condition_,
                .run = run_ + 1,
                .popsize = plan_.popsize,
                .failures = generation_.failures()};
  std::sort(record.failures.begin(), record.failures.end(), [](const Failure& a, const Failure& b) {
    return std::pair(a.candidate, a.attempt) < std::pair(b.candidate, b.attempt);
  });
  if (options_.observer) options_.observer(record);
  if (options_.callback && options_.callback(record) && !stop_) {
    stop_ = {StopReason::callback, "stopped by the callback"};
  }
}

Result Search::result() const {
  Result r;
  r.x = best_x_;
  r.fun = best_f_;
  r.nfev = nfev_;
  r.nfailed = nfailed_;
  r.nit = nit_;
  if (population_ != nullptr && !is_unapplied_) {  // in the middle of a generation
    r.nfev += generation_.count_set();
    r.nfailed += generation_.count_failed();
    for (Index i = 0; i < generation_.size(); ++i) {
      if (generation_.is_open(i) || !std::isfinite(generation_.value(i)) || r.fun <= generation_.value(i)) continue;
      r.fun = generation_.value(i);
      r.x = user_population().col(i);
    }
  }
  r.stop = stop_.reason;
  r.success =
      stop_.reason == StopReason::ftarget || (!options_.ftarget && is_converged(stop_.reason) && !std::isnan(r.fun));
  const SearchDistribution& distribution = strategy_->distribution();
  r.xfavorite = bounds_.is_active() ? bounds_.to_user(distribution.mean) : distribution.mean;
  r.stds = bounds_.all(distribution.standard_deviations(), 0);
  r.runs = finished_runs_;
  if (finished_runs_.size() <= static_cast<std::size_t>(run_)) {
    r.runs.push_back({plan_.popsize, plan_.sigma_factor, run_nfev_, run_nit_, run_best_, StopReason::none});
  }
  r.seed = *options_.seed;
  r.message = stop_ ? stop_.sentence : "still running after " + text(r.nfev) + " evaluations";
  if (stop_.reason != StopReason::ftarget) {
    if (std::isnan(r.fun)) {
      r.message += "; no value was finite";
    } else {
      r.message += "; best f = " + short_text(r.fun);
      if (options_.ftarget) r.message += " is above ftarget = " + text(*options_.ftarget);
    }
  }
  return r;
}

}  // namespace surefoot
