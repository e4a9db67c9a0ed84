#include "driver/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/completed_options.hpp"
#include "surefoot/method.hpp"

namespace surefoot {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// Generations of normals that no search reaches, for the draws of a restart.
constexpr std::uint64_t start_draw = (std::uint64_t{1} << 48U) - 1;
constexpr std::uint64_t schedule_draw = start_draw - 1;
constexpr std::uint64_t closing_draw = std::uint64_t{1} << 47U;

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
    : domain_(options.bounds, checked_start(x0), sigma0),
      left_open_(left_open(options)),
      options_(completed(std::move(options), domain_.search_dimension())),
      given_normals_(std::move(normals)),
      schedule_(options_.restarts, *options_.popsize),
      best_x_(x0) {
  gather_known(x0);
  begin_run(schedule_.first(), domain_.start_mean());
}

Search::Search(const Start& start, Options options)
    : domain_(options.bounds, start),
      left_open_(left_open(options)),
      options_(completed(std::move(options), domain_.search_dimension())),
      schedule_(options_.restarts, *options_.popsize),
      best_x_(domain_.to_user(domain_.start_mean())) {
  gather_known(best_x_);
  begin_run(schedule_.first(), domain_.start_mean());
}

void Search::gather_known(const Vector& x0) {
  const auto first = options_.evaluate_x0 ? Index{1} : Index{0};
  known_.resize(x0.size(), first + static_cast<Index>(options_.inject.size()));
  if (first > 0) known_.col(0) = x0;
  for (std::size_t i = 0; i < options_.inject.size(); ++i) {
    known_.col(first + static_cast<Index>(i)) = checked_point("inject[" + text(i) + "]", options_.inject[i]);
  }
  is_begun_ = known_.cols() == 0;
}

Search::Stage Search::next_stage() const {
  if (!is_begun_) return Stage::known;
  // One evaluation is kept for the mean, which is often better than any sample.
  return evaluations_left() > strategy_->popsize() ? Stage::population : Stage::closing;
}

std::int64_t Search::evaluations_left() const {
  return options_.maxfevals ? *options_.maxfevals - nfev_ : std::numeric_limits<std::int64_t>::max();
}

Index Search::generation_size() const {
  if (asked_ != nullptr) return asked_->cols();
  const Index most = next_stage() == Stage::known ? known_.cols() : strategy_->popsize();
  return static_cast<Index>(std::clamp<std::int64_t>(evaluations_left(), 1, most));
}

const Matrix& Search::ask() {
  if (asked_ == nullptr) ask(next_stage(), generation_size());
  return *asked_;
}

void Search::ask(Stage stage, Index count) {
  stage_ = stage;
  if (stage == Stage::known) {
    user_points_ = known_.leftCols(count);
    asked_ = &user_points_;
  } else {
    const bool is_closing = stage == Stage::closing;  // whose samples are no part of the course
    population_ = &strategy_->ask(
        is_closing ? closing_draw + static_cast<std::uint64_t>(nit_) : static_cast<std::uint64_t>(run_nit_), *normals_);
    asked_ = domain_.is_identity() ? population_ : &user_points_;
    if (!domain_.is_identity()) domain_.to_user(*population_, user_points_);
    if (stage == Stage::closing) ask_closing(count);
  }
  generation_.start(*asked_);
}

/// What is left of the budget: the mean, unless it has a value already, and samples that nothing is learned from.
void Search::ask_closing(Index count) {
  const Index means = run_nit_ > closed_at_ ? 1 : 0;
  const Matrix samples = asked_->leftCols(count - means);
  user_points_.resize(domain_.user_dimension(), count);
  if (means > 0) user_points_.col(0) = domain_.to_user(strategy_->distribution().mean());
  user_points_.rightCols(count - means) = samples;
  asked_ = &user_points_;
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
    if (stage_ != Stage::closing) keep_unapplied(candidates, values);
  } else if (stage_ == Stage::known) {
    learn_known();
  } else if (stage_ == Stage::population) {
    learn(candidates, values);
    // After the update, so that a distribution which cannot be sampled is never handed to the objective.
    run_stop = criteria_->test(*strategy_, values, run_nit_);
    if (!run_stop && is_barren()) run_stop = barren_stop();
    if (!run_stop) run_stop = met_run_budget();
  }
  if (!is_unapplied_) asked_ = population_ = nullptr;
  notify(run_stop || stop_);
  if (!stop_ && run_stop) end_run(run_stop);
  if (stop_ && finished_runs_.size() <= static_cast<std::size_t>(run_)) close_run(stop_.reason);
}

void Search::tell_generation() {
  if (asked_ == nullptr) throw std::invalid_argument("tell: call ask first");
  if (!generation_.is_complete()) return abandon(cancel_reason());
  generation_.write_values(values_);
  tell(*asked_, values_);
}

void Search::abandon(StopReason reason) {
  if (stop_) return;
  stop_ = reason == StopReason::timeout ? timed_out() : Stop{reason, "interrupted"};
  close_run(reason);
}

void Search::keep_unapplied(const Matrix& candidates, const Vector& values) {
  is_unapplied_ = &candidates == asked_;
  if (!is_unapplied_) return;
  for (Index i = 0; i < values.size(); ++i) {
    if (generation_.is_open(i)) generation_.restore(i, values[i], 1);
  }
}

void Search::recount_unapplied(int sign) {
  if (stage_ == Stage::population) {
    nit_ += sign;
    run_nit_ += sign;
  }
  nfev_ += sign * generation_.size();
  run_nfev_ += sign * generation_.size();
  nfailed_ += sign * last_failed_;
  std::swap(barren_generations_, barren_generations_before_);
}

void Search::begin_run(const RunPlan& plan, const Vector& mean) {
  plan_ = plan;
  run_mean_ = mean;
  run_nit_ = run_nfev_ = closed_at_ = 0;
  run_best_ = nan;
  Start start = domain_.start();
  start.mean = mean;
  start.widen(plan.sigma_factor);
  if (!given_normals_) own_normals_.emplace(*options_.seed, static_cast<std::uint32_t>(run_));
  normals_ = given_normals_ ? given_normals_.get() : &*own_normals_;
  strategy_ = make_strategy(options_.method, {.start = std::move(start),
                                              .popsize = static_cast<Index>(plan.popsize),
                                              .learning_rate = options_.learning_rate,
                                              .observed = static_cast<bool>(options_.observer),
                                              .budget = run_budget()});
  plan_.popsize = strategy_->popsize();  // the method may have fitted it
  criteria_ = std::make_unique<RunCriteria>(options_, strategy_->distribution(), strategy_->popsize());
  keep_near_bounds();
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
  const bool is_at_best = is_converged(run_stop.reason) && !has_missed_best(run_stop.reason);
  if (is_at_best && !(converged_f_ <= run_best_)) {
    converged_f_ = run_best_;
    converged_to_within_ = clear_difference();
  }
  const bool is_best_missed = has_missed_best(run_stop.reason) && run_best_ <= best_f_ && !is_best_converged();
  if (is_best_missed && options_.restarts.kind != Restarts::Kind::none && !(visited_ <= best_f_)) {
    visited_ = best_f_;
    visit_nfev_ += run_nfev_;
    ++run_;
    return begin_run(plan_around_best(), domain_.to_search(best_x_));
  }
  Matrix draws(1, 2);
  CounterNormals(*options_.seed, static_cast<std::uint32_t>(run_)).fill(schedule_draw, draws);
  const auto plan = schedule_.next(visit_nfev_ + run_nfev_, uniform_of(draws(0, 0)), uniform_of(draws(0, 1)));
  visit_nfev_ = 0;
  if (!plan) {
    stop_ = run_stop;
    is_over_ = true;
    return;
  }
  ++run_;
  begin_run(*plan, restart_mean());
}

double Search::clear_difference() const {
  return std::max({1e3 * options_.tolfun, 1e-9 * std::abs(criteria_->lowest()), 1e-12 * criteria_->first_range(),
                   criteria_->recent_range()});
}

bool Search::has_missed_best(StopReason reason) const {
  return is_converged(reason) && run_best_ < criteria_->lowest() - clear_difference();
}

bool Search::has_converged() const {
  const bool is_budget = stop_.reason == StopReason::maxfevals || stop_.reason == StopReason::maxiter ||
                         stop_.reason == StopReason::timeout;
  return (is_budget || is_converged(stop_.reason)) && is_best_converged();
}

bool Search::is_best_converged() const { return converged_f_ <= best_f_ + converged_to_within_; }

/// The valley of a lucky sample is narrower than the distribution that hit it.
RunPlan Search::plan_around_best() const { return {*options_.popsize, 0.1 * best_sigma_, {}}; }

Vector Search::restart_mean() const {
  if (options_.restart_point) {
    return domain_.to_search(checked_point("restart_point", options_.restart_point(run_ + 1)));
  }
  Matrix z(domain_.search_dimension(), 1);
  CounterNormals(*options_.seed, static_cast<std::uint32_t>(run_)).fill(start_draw, z);
  if (domain_.is_box()) return domain_.point_of_box(z.col(0).unaryExpr(&uniform_of));
  const Vector mean = domain_.start().point(z.col(0));
  return mean + domain_.way_back(mean, mean, 0);
}

Vector Search::checked_point(const std::string& option, const Vector& x) const {
  if (x.size() != domain_.user_dimension()) {
    reject(option, "a list of " + text(x.size()) + " numbers", "it needs " + text(domain_.user_dimension()));
  }
  for (Index j = 0; j < x.size(); ++j) {
    const std::string coordinate = option + "[" + text(j) + "]";
    if (!std::isfinite(x[j])) reject(coordinate, x[j], "it must be finite");
    const double lower = domain_.user_lower()[j];
    const double upper = domain_.user_upper()[j];
    if (x[j] < lower || x[j] > upper) {
      reject(coordinate, x[j], "it must be within its bounds, " + text(lower) + " to " + text(upper));
    }
  }
  return x;
}

void Search::check(const Matrix& candidates, const Vector& values) const {
  if (stop_) throw std::invalid_argument("tell: the search has stopped (" + std::string(name(stop_.reason)) + ")");
  if (asked_ == nullptr) throw std::invalid_argument("tell: call ask first");
  if (candidates.rows() != asked_->rows() || candidates.cols() != asked_->cols()) {
    reject("tell: candidates", "a " + text(candidates.rows()) + " x " + text(candidates.cols()) + " matrix",
           "it must be as ask gave it, " + text(asked_->rows()) + " x " + text(asked_->cols()));
  }
  if (values.size() != asked_->cols()) {
    reject("tell: values", "a list of " + text(values.size()) + " numbers",
           "one per candidate is needed, " + text(asked_->cols()));
  }
  if (&candidates == asked_) return;
  if (!candidates.allFinite()) {
    throw std::invalid_argument("tell: candidates hold NaN or infinity; they must be finite");
  }
  if (((candidates.colwise() - domain_.user_lower()).array() < 0).any() ||
      ((candidates.colwise() - domain_.user_upper()).array() > 0).any()) {
    throw std::invalid_argument("tell: candidates must be within the bounds");
  }
}

void Search::count(const Matrix& candidates, const Vector& values) {
  if (stage_ != Stage::known) ++nit_;
  if (stage_ == Stage::population) ++run_nit_;
  if (stage_ == Stage::closing) closed_at_ = run_nit_;
  nfev_ += values.size();
  run_nfev_ += values.size();
  generation_best_ = nan;
  Index failed = 0;
  Index finite = 0;
  for (Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      if (values[i] != infinity) ++failed;
      continue;
    }
    ++finite;
    if (!(generation_best_ <= values[i])) generation_best_ = values[i];
    if (best_f_ <= values[i]) continue;
    best_f_ = values[i];
    best_x_ = candidates.col(i);
    best_sigma_ = strategy_->distribution().sigma() / domain_.start_sigma();
  }
  if (std::isnan(best_f_) && failed < values.size()) best_f_ = infinity;
  if (!(run_best_ <= generation_best_) && !std::isnan(generation_best_)) run_best_ = generation_best_;
  nfailed_ += failed;
  last_failed_ = failed;
  barren_generations_before_ = barren_generations_;
  if (stage_ == Stage::known) return;
  barren_generations_ = finite == 0 ? barren_generations_ + 1 : 0;
}

/// The first run begins at the best of the known points.
void Search::learn_known() {
  is_begun_ = true;
  if (!std::isfinite(best_f_) || best_x_ == domain_.user_start()) return;
  const std::int64_t nfev = run_nfev_;
  begin_run(plan_, domain_.to_search(best_x_));
  run_nfev_ = nfev;
  run_best_ = best_f_;
}

/// Learns from the ranking. A generation of equal values says that the distribution is too narrow to see a difference.
/// First generations without any value around a start that has one say that it is too wide; later ones say that
/// evaluations fail.
void Search::learn(const Matrix& candidates, const Vector& values) {
  constexpr double widening = 1.5;
  constexpr double narrowing = 0.5;
  const Matrix& points = told_points(candidates);
  const Vector& told = merits(points, values);
  Index finite = 0;
  double lowest = infinity;
  double highest = -infinity;
  for (const double value : told) {
    if (!std::isfinite(value)) continue;
    ++finite;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  const bool is_flat = finite > 1 && lowest == highest && !strategy_->is_probing();
  if (is_flat) {
    scale_deviations(widening);
  } else if (finite > 0) {
    strategy_->tell({points, told, changed_columns_});
  } else if (std::isfinite(run_best_) && barren_generations_ == run_nit_) {
    scale_deviations(narrowing);
  }
  keep_near_bounds();
}

const Matrix& Search::told_points(const Matrix& candidates) {
  changed_columns_.clear();
  if (&candidates == asked_) return *population_;
  changed_ = *population_;
  for (Index i = 0; i < candidates.cols(); ++i) {
    if (candidates.col(i) == asked_->col(i)) continue;
    changed_.col(i) = domain_.to_search(candidates.col(i));
    changed_columns_.push_back(i);
  }
  return changed_;
}

const Vector& Search::merits(const Matrix& points, const Vector& values) {
  if (!domain_.has_bounds()) return values;
  strategy_->distribution().deviations(deviations_);
  if (!domain_.excess(points, deviations_, squares_)) return values;
  return penalty_.merits(values, squares_, points.rows());
}

void Search::scale_deviations(double factor) {
  shift_.setZero(domain_.search_dimension());
  factors_.setConstant(domain_.search_dimension(), factor);
  strategy_->correct(shift_, factors_);
}

/// Limits the standard deviations, and the distance of the mean to the box.
void Search::keep_near_bounds() {
  if (!domain_.has_bounds()) return;
  constexpr double farthest = 0.5;  // standard deviations of the mean outside
  const Distribution& distribution = strategy_->distribution();
  distribution.deviations(deviations_);
  if (!distribution.is_finite() || !(deviations_.minCoeff() > 0)) return;
  factors_ = domain_.largest_deviations().cwiseQuotient(deviations_).cwiseMin(1);
  shift_ = domain_.way_back(distribution.mean(), deviations_, farthest);
  if (factors_.minCoeff() < 1 || (shift_.array() != 0).any()) strategy_->correct(shift_, factors_);
}

Stop Search::met_end() const {
  const Options& o = options_;
  if (o.ftarget && best_f_ <= *o.ftarget) {
    return {StopReason::ftarget, "target reached: f = " + short_text(best_f_) + " <= ftarget = " + text(*o.ftarget)};
  }
  // Other runs may do better. But evaluations that fail in three runs in a row are an objective that has stopped working.
  const bool has_broken = last_failed_ > 0 && barren_generations_ >= 3 * o.failures.generations;
  const bool is_lost = !std::isfinite(best_f_) || o.restarts.kind == Restarts::Kind::none || has_broken;
  if (is_lost && is_barren()) return barren_stop();
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

/// Around a start that has a value the search is narrowed for longer.
bool Search::is_barren() const {
  const std::int64_t limit = options_.failures.generations;
  const bool is_narrowing = std::isfinite(run_best_) && barren_generations_ == run_nit_;
  return barren_generations_ > 0 && barren_generations_ % (is_narrowing ? 10 * limit : limit) == 0;
}

Stop Search::barren_stop() const {
  const std::string count = text(barren_generations_);
  if (last_failed_ > 0) {
    return {StopReason::failing,
            "failing: all evaluations of " + count + " generations in a row failed" + last_failure()};
  }
  const char* const advice = std::isfinite(best_f_) ? "choose a smaller sigma0" : "start where f is finite";
  return {
      StopReason::infeasible,
      "infeasible: " + count + " generations in a row without a finite value, all +infinity in the last; " + advice};
}

Stop Search::met_run_budget() const {
  if (plan_.maxfevals && run_nfev_ >= *plan_.maxfevals) {
    return {StopReason::maxfevals, "budget of a small run used: " + text(run_nfev_) + " evaluations"};
  }
  if (options_.maxfevals || options_.maxiter) return {};
  const std::int64_t limit = default_maxiter(domain_.search_dimension(), plan_.popsize);
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
  Measures measures = strategy_->measures();
  const Distribution& distribution = strategy_->distribution();
  // The O(d^3) of the condition would dwarf a generation of many dimensions.
  const std::int64_t interval = 1 + distribution.dimension() / 20;
  if (options_.observer && (run_nit_ % interval == 0 || run_nit_ == 1 || is_last)) {
    condition_ = distribution.condition();
  }
  Record record{.generation = nit_,
                .nfev = nfev_,
                .best = best_f_,
                .generation_best = generation_best_,
                .sigma = distribution.sigma(),
                .eta_m = measures["eta_m"],
                .eta_sigma = measures["eta_sigma"],
                .eta_B = measures["eta_B"],
                .l_theta = measures["l_theta"],
                .gamma = measures["gamma"],
                .condition = condition_,
                .run = run_ + 1,
                .popsize = strategy_->popsize(),
                .failures = generation_.failures(),
                .measures = std::move(measures)};
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
  if (asked_ != nullptr && !is_unapplied_) {  // in the middle of a generation
    r.nfev += generation_.count_set();
    r.nfailed += generation_.count_failed();
    for (Index i = 0; i < generation_.size(); ++i) {
      if (generation_.is_open(i) || !std::isfinite(generation_.value(i)) || r.fun <= generation_.value(i)) continue;
      r.fun = generation_.value(i);
      r.x = asked_->col(i);
    }
  }
  r.stop = stop_.reason;
  const bool has_missed = has_missed_best(stop_.reason) && !is_best_converged();
  r.success = stop_.reason == StopReason::ftarget || (!options_.ftarget && std::isfinite(r.fun) && has_converged());
  const Distribution& distribution = strategy_->distribution();
  r.xfavorite = domain_.to_user(distribution.mean());
  Vector deviations;
  distribution.deviations(deviations);
  r.stds = domain_.user_deviations(deviations);
  r.runs = finished_runs_;
  if (finished_runs_.size() <= static_cast<std::size_t>(run_)) {
    r.runs.push_back({plan_.popsize, plan_.sigma_factor, run_nfev_, run_nit_, run_best_, StopReason::none});
  }
  r.seed = *options_.seed;
  r.message = stop_ ? stop_.sentence : "still running after " + text(r.nfev) + " evaluations";
  if (stop_.reason != StopReason::ftarget) {
    if (!std::isfinite(r.fun)) {
      r.message += "; no value was finite";
    } else if (has_missed) {
      r.message += ", to f = " + short_text(criteria_->lowest()) +
                   "; but an earlier sample was better: best f = " + short_text(r.fun) +
                   "; search again from there with a small sigma0";
      if (options_.restarts.kind == Restarts::Kind::none) r.message += ", or allow restarts";
    } else {
      r.message += "; best f = " + short_text(r.fun);
      if (options_.ftarget && r.fun > *options_.ftarget) r.message += " is above ftarget = " + text(*options_.ftarget);
      if (r.success && !is_converged(stop_.reason)) r.message += ", where a run converged";
    }
  }
  return r;
}

}  // namespace surefoot
