#include "search/noise/noise_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/model/noise/nested_windows.hpp"
#include "driver/model/noise/robust_fit.hpp"
#include "search/run.hpp"

namespace surefoot {
namespace {

constexpr Index most_searched = 20;       // coordinates of a search by regression, whose fits take O(d^6)
constexpr Index most_compared = 100;      // coordinates where repeats that happen anyway are noticed
constexpr Index most_remembered = 10000;  // evaluations
constexpr double harmful = 0.4;           // noise that changes a ranking, in units of the values' spread
constexpr double negligible = 0.01;       // loss, in units of the noise

/// Standard deviation of normals with these quartiles.
double spread_of(Vector values) {
  if (values.size() < 4) return 0;
  std::sort(values.begin(), values.end());
  return (values[values.size() * 3 / 4] - values[values.size() / 4]) / 1.349;
}

Axes frame_of(const Start& start) {
  return {start.mean, start.factor ? *start.factor : Matrix(start.deviations.asDiagonal())};
}

bool is_same_point(const Vector& a, const Vector& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

/// Evaluations for measuring the point that is returned.
std::int64_t reserve(std::int64_t nfev) { return std::clamp<std::int64_t>(nfev / 50, 4, 30); }

}  // namespace

NoiseWatch::NoiseWatch(const Setup& setup) : setup_(setup) {
  if (known_deviation()) kind_ = found;
  if (setup.domain->search_dimension() <= most_searched && !setup.domain->is_discrete() && setup.rules.empty()) {
    archive_.emplace(setup.domain->search_dimension(), most_remembered);
  }
}

/// The largest number stands for no budget.
std::optional<std::int64_t> NoiseWatch::budget() const {
  const auto& maxfevals = setup_.options.maxfevals;
  return maxfevals && *maxfevals < std::numeric_limits<std::int64_t>::max() ? maxfevals : std::nullopt;
}

std::optional<double> NoiseWatch::known_deviation() const {
  const Noise& noise = setup_.options.noise;
  return noise.kind == Noise::Kind::known ? std::optional(noise.deviation) : std::nullopt;
}

/// Who names a method, a policy of rates or a population gets that.
bool NoiseWatch::may_search() const {
  const LeftOpen& open = setup_.left_open;
  return archive_ && open.method && open.learning_rate && open.popsize;
}

// Noticing.

void NoiseWatch::see(const Matrix& points, const Generation& generation, const Counting& counting) {
  if (kind_ == none) return;
  for (Index i = 0; i < generation.size(); ++i) {
    const Outcome& outcome = generation.outcome(i);
    if (outcome.state != Outcome::State::evaluated || !std::isfinite(outcome.f)) continue;
    if (archive_) archive_->add(setup_.domain->to_search(points.col(i)), outcome.f);
    if (kind_ == unknown && points.rows() <= most_compared) compare_with_best(points.col(i), outcome.f);
    if (!counting.is_of_run) continue;
    values_.conservativeResize(values_.size() + 1);
    values_[values_.size() - 1] = outcome.f;
    if (kind_ == found && !regression_) remember_newest(points.col(i), outcome.f);
  }
}

/// Two values at the best point may differ without anybody having asked for a repeat.
void NoiseWatch::compare_with_best(const Vector& x, double f) {
  if (best_x_.size() > 0 && f != best_f_ && is_same_point(x, best_x_)) compare_repeat(best_f_, f);
  if (best_x_.size() > 0 && !(f < best_f_)) return;
  best_x_ = x;
  best_f_ = f;
}

void NoiseWatch::remember_newest(const Vector& x, double f) {
  constexpr Index most = 3;
  const Index kept = std::min(most - 1, newest_f_.size());
  Matrix points(x.size(), kept + 1);
  Vector values(kept + 1);
  if (kept > 0) points.leftCols(kept) = newest_x_.rightCols(kept);
  values.head(kept) = newest_f_.tail(kept);
  points.col(kept) = x;
  values[kept] = f;
  newest_x_ = std::move(points);
  newest_f_ = std::move(values);
}

/// Only after a generation that was evaluated whole: before, the model ranks the candidates, and noise does no harm.
void NoiseWatch::look(const Run& run, const Tally& tally) {
  if (kind_ == none || regression_) return;
  plan_measure_of_target(tally);
  spread_ = spread_of(std::exchange(values_, {}));
  if (kind_ == found && (tally.is_best_run() || mean_.size() == 0)) {
    mean_ = run.user_mean();
    if (archive_) frame_ = frame_of(run.distribution().snapshot());
  }
  if (run.stage().is_model_accepted()) return;
  if (kind_ == unknown) return repeat_best(tally);
  if (known_deviation()) return go_over_if_harmful();
  const bool is_first = repeats_.count() == 0;
  if (is_first && attempts_ < 3) return repeat_newest(3);
  if (!may_search()) return;
  if (tally.nfev - last_pair_ >= 20) return repeat_newest(1);
  go_over_if_harmful();
}

/// The point that luck has touched most: outliers of a start may be the same twice.
void NoiseWatch::repeat_best(const Tally& tally) {
  if (tally.nfev < 3 * setup_.domain->search_dimension() + 2 || !is_finite(tally.best_f) || ++wholes_ < 2) return;
  again_ = tally.best_x;
  before_ = Vector::Constant(1, tally.best_f);
}

void NoiseWatch::repeat_newest(Index count) {
  count = std::min(count, newest_f_.size());
  if (count == 0) return;
  ++attempts_;
  again_ = newest_x_.rightCols(count);
  before_ = newest_f_.tail(count);
}

void NoiseWatch::learn_repeats(const Vector& values, const Tally& tally) {
  for (Index i = 0; i < values.size(); ++i) compare_repeat(before_[i], values[i]);
  again_.resize(0, 0);
  before_.resize(0);
  last_pair_ = tally.nfev;
  if (repeats_.count() > 0) go_over_if_harmful();
}

/// The first pair says that there is noise, but not how much: it was chosen by its value.
void NoiseWatch::compare_repeat(double first, double second) {
  if (!std::isfinite(second)) return;
  if (kind_ == found) return repeats_.add(first, second);
  kind_ = first == second ? none : found;
  first_difference_ = std::abs(first - second);
  best_x_.resize(0);
  if (kind_ == none) archive_.reset();
}

double NoiseWatch::deviation() const {
  constexpr Index newest = 7;
  if (const auto known = known_deviation()) return *known;
  return repeats_.count() > 0 ? repeats_.deviation(newest) : first_difference_ / 0.954;
}

// Searching.

void NoiseWatch::go_over_if_harmful() {
  if (!may_search() || regression_ || !(deviation() > harmful * spread_) || frame_.origin.size() == 0) return;
  Axes start = frame_of(setup_.domain->start());
  start.origin = frame_.origin;
  const double scale = start.scale();
  regression_.emplace(std::move(start), 2 * scale, known_deviation(), setup_.options.batch.size);
  regression_->fit(*archive_, repeats_);
  move_into_bounds();
  newest_x_.resize(0, 0);
  newest_f_.resize(0);
}

void NoiseWatch::learn_round(const Vector& values, const Tally& tally) {
  const Index last = values.size() - 1;
  if (regression_->is_repeat_due()) repeats_.add(values[last - 1], values[last]);
  regression_->learn(*archive_, repeats_);
  move_into_bounds();
  plan_measure(tally);
}

void NoiseWatch::move_into_bounds() {
  if (!setup_.domain->has_bounds()) return;
  regression_->move_to(setup_.domain->to_search(setup_.domain->to_user(regression_->frame().origin)));
}

// Measuring.

/// Now and then where no budget says when the end comes, and where the search may end by what is measured.
void NoiseWatch::plan_measure(const Tally& tally) {
  const Options& options = setup_.options;
  const bool has_reached = options.ftarget && regression_->fitted_minimum() <= *options.ftarget;
  const bool has_converged = findings().is_converged && !budget();
  const bool is_periodic = !budget() && tally.nfev >= 2 * next_measure_;
  if (tally.nfev >= next_measure_ && (has_reached || has_converged || is_periodic))
    planned_measure_ = reserve(tally.nfev);
}

/// A single value within the noise of the target says nothing about it.
void NoiseWatch::plan_measure_of_target(const Tally& tally) {
  const auto& ftarget = setup_.options.ftarget;
  if (kind_ != found || !ftarget || !(tally.best_f <= *ftarget) || tally.nfev < next_measure_) return;
  planned_measure_ = reserve(tally.nfev);
}

bool NoiseWatch::is_measure_due(const Tally& tally) const {
  if (kind_ != found || !is_finite(tally.best_f)) return false;
  if (planned_measure_ > 0) return true;
  if (!budget()) return false;
  const std::int64_t left = *budget() - tally.nfev;
  return left < reserve(*budget()) + (regression_ ? regression_->size() : *setup_.options.popsize);
}

/// The minimum of a regression unless the noise is smaller than what the regression does not know. Otherwise the best
/// sample; where noise rules the ranking that is only the luckiest one, and the mean is better.
Vector NoiseWatch::candidate(const Tally& tally) const {
  const Domain& domain = *setup_.domain;
  if (regression_) return domain.to_user(regression_->frame().origin);
  if (archive_ && frame_.origin.size() > 0) {
    const Points points = points_of(*archive_);
    const auto window = best_window(points.x, points.f, frame_);
    if (window && window->expected_loss() < deviation()) return domain.to_user(window->minimum());
  }
  const bool is_mean_meaningful = mean_.size() > 0 && !domain.is_discrete() && setup_.rules.empty();
  return is_mean_meaningful && deviation() > harmful * spread_ ? mean_ : tally.best_x;
}

void NoiseWatch::measure(const Vector& x, const Vector& values) {
  NoiseFound::Measured now{.x = x};
  for (const double f : values) {
    if (!std::isfinite(f)) continue;
    ++now.count;
    now.mean += (f - now.mean) / static_cast<double>(now.count);
  }
  if (now.count < 2) return;
  for (const double f : values) now.error += std::isfinite(f) ? (f - now.mean) * (f - now.mean) : 0;
  const auto n = static_cast<double>(now.count);
  now.error = std::sqrt(now.error / ((n - 1) * n));
  measured_ = std::move(now);
}

Stop NoiseWatch::end_by_measure(const Tally& tally) {
  planned_measure_ = 0;
  next_measure_ = tally.nfev + tally.nfev / 4;
  const auto& ftarget = setup_.options.ftarget;
  if (ftarget && measured_.count > 1 && measured_.mean <= *ftarget) {
    return {StopReason::ftarget, "target reached: f = " + short_text(measured_.mean) + ", the mean of " +
                                     text(measured_.count) + " evaluations, <= ftarget = " + text(*ftarget)};
  }
  if (budget() || !findings().is_converged) return {};
  return {StopReason::noise, "converged as far as the noise allows: a better point would be lower by about " +
                                 short_text(findings().expected_loss) + " at most, a hundredth of the noise"};
}

NoiseFound NoiseWatch::findings() const {
  NoiseFound now{.deviation = deviation(), .is_known = known_deviation().has_value(), .measured = measured_};
  now.difference = repeats_.count() > 0 ? repeats_.difference(7) : first_difference_;
  if (!regression_) return now;
  now.deviation = regression_->deviation();
  if (repeats_.count() > 0) now.difference = repeats_.difference(std::max<Index>(40, repeats_.count() / 2));
  now.frame = &regression_->frame();
  now.fitted_minimum = regression_->fitted_minimum();
  now.expected_loss = regression_->expected_loss();
  now.is_converged = regression_->is_interior() && now.expected_loss <= negligible * now.deviation;
  return now;
}

}  // namespace surefoot
