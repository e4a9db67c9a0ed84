#include "driver/stop_criteria.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/dense_solvers.hpp"
#include "core/visit_count.hpp"
#include "driver/stop/median.hpp"
#include "surefoot/outcome.hpp"

namespace surefoot {
namespace {

// Squares of distances leave the range of doubles beyond these.
constexpr double smallest_deviation = 1e-150;
constexpr double largest_deviation = 1e150;

// Reciprocal condition of the shape at which solving with it leaves no correct digit.
constexpr double smallest_rcond = 1e-15;

std::int64_t recent_length(Index d, Index popsize) {
  return 10 + static_cast<std::int64_t>(std::ceil(30 * static_cast<double>(d) / static_cast<double>(popsize)));
}

std::int64_t default_stagnation(Index d, Index popsize) {
  return 100 +
         static_cast<std::int64_t>(100 * elementary::pow(static_cast<double>(d), 1.5) / static_cast<double>(popsize));
}

// Of the pace, lest 0 makes a run endless.
constexpr double smallest_rate = 0.01;

// Of f, and of the range of the first values: what lies closer may be the function's own error.
constexpr double smallest_part = 2e-8;

// Numbers that a test looks at. Where it asks for more generations or steps only every second, third, ... is
// remembered: the range and the medians of thousands of values do not need all of them, and their memory would grow
// with d.
constexpr std::int64_t longest_window = 8192;

std::int64_t stride_of(std::int64_t length) { return 1 + (length - 1) / longest_window; }

std::int64_t recent_window(Index d, Index popsize) {
  const std::int64_t length = recent_length(d, popsize);
  return (length + stride_of(length) - 1) / stride_of(length);
}

Index window_length(std::int64_t steps, std::int64_t stride) {
  return static_cast<Index>(std::max<std::int64_t>(1, steps / stride));
}

/// How many vectors a pass over the shape is worth: d for a full one, 1 for a diagonal.
std::int64_t passes(const Distribution& distribution) { return distribution.shape_size() / distribution.dimension(); }

double range(const Vector& numbers) { return numbers.maxCoeff() - numbers.minCoeff(); }

/// Whether range(numbers) < bound. Two of the numbers alone mostly say no.
bool is_range_below(const Vector& numbers, double bound) {
  return std::abs(numbers[0] - numbers[numbers.size() - 1]) < bound && range(numbers) < bound;
}

bool has_real_coordinate(const Domain& domain) {
  for (Index k = 0; k < domain.search_dimension(); ++k) {
    if (domain.is_real(k)) return true;
  }
  return false;
}

/// How many generations must be without a better value before a search is settled. With the margin 1/(d popsize) each
/// discrete coordinate has then left its value about ten times, five times in each direction. After three times 3 of 20
/// searches of 20 integers had missed a better neighbour. Choices leave their values more often.
std::int64_t settled_length(const Domain& domain) {
  const Index d = domain.discrete().empty() ? 0 : domain.search_dimension();
  return 10 + 10 * static_cast<std::int64_t>(d) + 3 * static_cast<std::int64_t>(domain.choice_sizes().size());
}

}  // namespace

void History::visit(StateVisitor& visitor, const char* name) {
  if (!visitor.is_restoring()) {
    visitor.vector(name, numbers_);
    visitor.integer("count", count_);
    return;
  }
  History found(0);
  visitor.vector(name, found.numbers_);
  visit_count(visitor, "count", found.count_);
  if (found.count_ > 0 && found.numbers_.size() == 0) {
    reject("checkpoint: count of " + std::string(name), found.count_, "there are no numbers");
  }
  if (found.numbers_.size() == numbers_.size()) {
    *this = std::move(found);
    return;
  }
  // Of another length, because a tolerance is another one: the newest that there is room for.
  count_ = 0;
  for (std::int64_t i = std::min<std::int64_t>(found.count_, found.numbers_.size()); i-- > 0;) push(found.newest(i));
}

RunCriteria::RunCriteria(const Options& options, const Distribution& start, Index popsize, const Domain& domain)
    : options_(options),
      domain_(domain),
      is_discrete_(domain.is_discrete()),
      has_real_(has_real_coordinate(domain)),
      start_sigma_(start.sigma()),
      // At this interval the inversion of a full shape, O(d^3), is one percent of a generation.
      rare_interval_(4 * (10 + passes(start))),
      // A pass over a full shape is a small part of a generation that makes 2 popsize of them.
      deviations_interval_(popsize < passes(start) ? 10 : 1 + passes(start) / 10),
      recent_stride_(stride_of(recent_length(start.dimension(), popsize))),
      stagnation_length_(options.tolstagnation.value_or(default_stagnation(start.dimension(), popsize))),
      stagnation_stride_(stride_of(stagnation_length_)),
      run_best_(std::numeric_limits<double>::infinity()),
      recent_best_(recent_window(start.dimension(), popsize)),
      recent_worst_(recent_window(start.dimension(), popsize)),
      long_best_(2 * window_length(stagnation_length_, stagnation_stride_)),
      long_median_(2 * window_length(stagnation_length_, stagnation_stride_)),
      deviations_(start.dimension()),
      sorted_(popsize),
      window_(window_length(stagnation_length_, stagnation_stride_)),
      half_(recent_best_.numbers().size() / 2) {
  start.deviations(deviations_);
  const bool is_isotropic = (deviations_.array() == deviations_[0]).all();
  start_deviations_ = deviations_.head(is_isotropic ? 1 : deviations_.size());
}

Stop RunCriteria::test(const Strategy& strategy, const Vector& values, std::int64_t generation) {
  const Distribution& distribution = strategy.distribution();
  const double strides_before = std::floor(steps_ / static_cast<double>(stagnation_stride_));
  steps_ += std::sqrt(std::clamp(strategy.pace(), smallest_rate, 1.0));
  remember(values, generation % recent_stride_ == 0,
           std::floor(steps_ / static_cast<double>(stagnation_stride_)) > strides_before);
  if (Stop stop = non_finite(distribution)) return stop;
  if (Stop stop = tolupsigma(distribution.sigma())) return stop;
  if (Stop stop = tolflatfitness()) return stop;
  if (Stop stop = tolfunhist()) return stop;
  if (Stop stop = tolfun()) return stop;
  if (Stop stop = unresolved()) return stop;
  if (is_discrete_) {
    if (Stop stop = settled(distribution)) return stop;
  }
  if (has_real_) {
    if (Stop stop = noeffectaxis(distribution, generation)) return stop;
  }
  if (generation % deviations_interval_ == 0) {
    if (Stop stop = test_deviations(distribution)) return stop;
  }
  if (generation % rare_interval_ == 0) {
    if (Stop stop = condition(distribution)) return stop;
  }
  return stagnation_length_ > 0 && generation % (1 + stagnation_length_ / 10) == 0 ? tolstagnation() : Stop{};
}

Stop RunCriteria::test_deviations(const Distribution& distribution) {
  distribution.deviations(deviations_);
  if (has_real_) {
    if (Stop stop = vanished(distribution.mean())) return stop;
  }
  if (Stop stop = exploded()) return stop;
  if (has_real_) {
    if (Stop stop = tolx()) return stop;
  }
  return noeffectcoord(distribution.mean());
}

void RunCriteria::remember(const Vector& values, bool is_recent, bool is_long_term) {
  if (sorted_.size() < values.size()) sorted_.resize(values.size());
  Index finite = 0;
  for (const double value : values) {
    if (is_finite(value)) sorted_[finite++] = value;
  }
  if (finite == 0) {
    flat_ = 0;
    return;
  }
  lowest_ = sorted_.head(finite).minCoeff();
  highest_ = sorted_.head(finite).maxCoeff();
  flat_ = lowest_ == highest_ && finite > 1 ? flat_ + 1 : 0;
  if (first_range_ == 0) first_range_ = highest_ - lowest_;
  if (is_discrete_) count_unimproved();
  if (is_recent) {
    recent_best_.push(lowest_);
    recent_worst_.push(highest_);
  }
  if (!is_long_term) return;
  long_best_.push(lowest_);
  long_median_.push(median(sorted_, finite));
}

void RunCriteria::count_unimproved() {
  const double least = has_real_ ? scaled(options_.tolfunhist) : 0;
  unimproved_ = lowest_ < run_best_ - least ? 0 : unimproved_ + 1;
  run_best_ = std::min(run_best_, lowest_);
}

/// Real parameters have converged by their standard deviations or by the best values, where they have any effect.
Stop RunCriteria::settled(const Distribution& distribution) {
  const std::int64_t length = settled_length(domain_);
  if (options_.tolx <= 0 || !is_settled_ || unimproved_ < length) return {};
  if (has_real_) {
    distribution.deviations(deviations_);
    const bool is_level = recent_best_.full() && range(recent_best_.numbers()) <= scaled(options_.tolfunhist);
    if (!is_level && !(largest_ratio() < options_.tolx)) return {};
  }
  return {StopReason::settled, "settled: integers and choices keep their values, and " + text(unimproved_) +
                                   " generations have found nothing better"};
}

Stop RunCriteria::non_finite(const Distribution& distribution) {
  if (!distribution.is_finite()) return {StopReason::non_finite, "diverged: the distribution holds NaN or infinity"};
  if (!(distribution.sigma() > 0)) return {StopReason::vanished, "converged: the step size sigma is 0"};
  return {};
}

Stop RunCriteria::tolupsigma(double sigma) const {
  if (options_.tolupsigma <= 0 || !(sigma / start_sigma_ > options_.tolupsigma)) return {};
  return {StopReason::tolupsigma, "diverged: sigma has grown by " + short_text(sigma / start_sigma_) +
                                      " > tolupsigma = " + short_text(options_.tolupsigma)};
}

Stop RunCriteria::tolflatfitness() const {
  // Where discrete values seldom change, equal values are no wonder; pycma's rule.
  const auto share = static_cast<double>(domain_.discrete().size()) / static_cast<double>(domain_.search_dimension());
  const std::int64_t least = is_discrete_ ? 3 + static_cast<std::int64_t>(std::ceil(30 * share)) : 0;
  if (options_.tolflatfitness <= 0 || flat_ <= std::max<std::int64_t>(options_.tolflatfitness, least)) return {};
  return {StopReason::tolflatfitness,
          "plateau: all values of " + text(flat_) + " generations in a row are equal, f = " + short_text(lowest_) +
              ", however wide the search (tolflatfitness = " + text(options_.tolflatfitness) + ")"};
}

/// A tolerance of function values. Values of a small scale, such as probabilities, need a smaller one.
double RunCriteria::scaled(double tolerance) const {
  return first_range_ > 0 ? tolerance * std::min(1.0, first_range_) : tolerance;
}

/// Whether the best values of recent generations are one and the same while others differ by more than rounding, or
/// while all are equal although every generation was wider than the one before: steps of a plateau, which say nothing
/// about convergence.
bool RunCriteria::is_on_plateau(double tolerance) const {
  if (range(recent_best_.numbers()) > 0) return false;
  if (flat_ >= recent_generations()) return true;
  constexpr double roundings = 16 * std::numeric_limits<double>::epsilon();
  const double spread = recent_worst_.numbers().maxCoeff() - lowest_;
  return spread > std::max(1000 * tolerance, roundings * std::abs(lowest_));
}

/// A run that can be followed by another one does not wait on a plateau.
Stop RunCriteria::plateau() const {
  if (options_.tolflatfitness <= 0 || options_.restarts.kind == Restarts::Kind::none) return {};
  return {StopReason::tolflatfitness,
          "plateau: best values of " + text(recent_generations()) + " generations are all f = " + short_text(lowest_)};
}

Stop RunCriteria::tolfunhist() const {
  const double tolerance = scaled(options_.tolfunhist);
  if (tolerance <= 0 || !recent_best_.full() || !is_range_below(recent_best_.numbers(), tolerance)) return {};
  // With discrete parameters best values are often one and the same; `settled` knows when that is the end.
  if (is_discrete_ && (!has_real_ || range(recent_best_.numbers()) == 0)) return {};
  if (is_on_plateau(tolerance)) return plateau();
  return {StopReason::tolfunhist, "converged: best values of " + text(recent_generations()) +
                                      " generations differ by " + short_text(range(recent_best_.numbers())) +
                                      " < tolfunhist = " + short_text(tolerance)};
}

Stop RunCriteria::tolfun() const {
  const double tolerance = scaled(options_.tolfun);
  if (tolerance <= 0 || !recent_best_.full() || !has_real_) return {};
  if (!(highest_ - lowest_ < tolerance) || !is_range_below(recent_best_.numbers(), tolerance)) return {};
  if (is_on_plateau(tolerance)) return {};
  const double spread = std::max(range(recent_best_.numbers()), highest_ - lowest_);
  return {StopReason::tolfun, "converged: values of the population and of " + text(recent_generations()) +
                                  " generations differ by " + short_text(spread) +
                                  " < tolfun = " + short_text(tolerance)};
}

/// What the function cannot resolve, such as the error of an ODE solver, keeps values apart that tolfun waits for. They
/// are at that floor if they lie closer than a small part of f and of the start's range, as far apart as before, and
/// get no lower: neither the best nor the worst ones of the second half of the recent generations, in the middle and at
/// the lowest. Exact values fall by more than their spread in that time, or the spread shrinks. On a plateau best
/// values are equal. A model has a rule of its own.
Stop RunCriteria::unresolved() {
  const Index n = half_.size();
  const auto is_due = recent_best_.count() % (1 + n / 5) == 0;
  const bool is_exempt = is_discrete_ || options_.constraints + options_.equalities > 0 || options_.model != "none";
  if (options_.tolfun <= 0 || is_exempt || !is_due || !recent_best_.full()) return {};
  if (recent_best_.newest(0) < recent_best_.newest(n)) return {};  // it mostly improves
  const auto middle = [&](std::int64_t begin, const auto& number) {
    for (Index i = 0; i < n; ++i) half_[i] = number(begin + i);
    return median(half_, n);
  };
  const auto best = [&](std::int64_t i) { return recent_best_.newest(i); };
  const auto worst = [&](std::int64_t i) { return recent_worst_.newest(i); };
  const auto spread = [&](std::int64_t i) { return worst(i) - best(i); };
  const double scale = std::min(first_range_, std::abs(lowest_));
  const double now = middle(0, spread);
  const double before = middle(n, spread);
  if (!(now > 0 && now <= smallest_part * scale && 2 * now >= before && now <= 2 * before)) return {};
  double lowest = best(0);
  double lowest_before = best(n);
  Index repeated = 0;
  for (Index i = 1; i < n; ++i) {
    lowest = std::min(lowest, best(i));
    lowest_before = std::min(lowest_before, best(n + i));
    if (best(i) == best(i - 1)) ++repeated;
  }
  if (lowest < lowest_before || 10 * repeated > n) return {};
  if (middle(0, best) < middle(n, best) || middle(0, worst) < middle(n, worst)) return {};
  return {StopReason::tolfun, "converged: values of " + text(recent_generations()) + " generations differ by about " +
                                  short_text(now) +
                                  ", as far as the function resolves them, and get no lower (tolfun)"};
}

/// One axis a generation.
Stop RunCriteria::noeffectaxis(const Distribution& distribution, std::int64_t generation) {
  if (!options_.noeffectaxis) return {};
  const Vector& mean = distribution.mean();
  const double sigma = distribution.sigma();
  Vector& axis = deviations_;  // which are measured anew after this
  distribution.axis(static_cast<Index>(generation % mean.size()), axis);
  if (!domain_.discrete().empty() && !has_real_axis(distribution, axis)) return {};
  for (Index j = 0; j < mean.size(); ++j) {
    if (mean[j] + 0.1 * sigma * axis[j] != mean[j] && domain_.is_real(j)) return {};
  }
  return {StopReason::noeffectaxis, "converged: a tenth of the standard deviation along an axis, " +
                                        short_text(0.1 * sigma * axis.norm()) + ", does not change the mean"};
}

/// Whether an axis has its share of the real coordinates. One that is made of discrete ones says nothing about them.
bool RunCriteria::has_real_axis(const Distribution& distribution, const Vector& axis) {
  Vector deviations(axis.size());
  distribution.deviations(deviations);
  double along = 0;
  double all = 0;
  for (Index j = 0; j < axis.size(); ++j) {
    if (!domain_.is_real(j)) continue;
    const double part = distribution.sigma() * axis[j] / deviations[j];
    along += part * part;
    all += 1;
  }
  return along > 0.1 * all / static_cast<double>(axis.size());
}

double RunCriteria::largest_real_deviation() const {
  if (domain_.discrete().empty()) return deviations_.maxCoeff();
  double largest = 0;
  for (Index j = 0; j < deviations_.size(); ++j) {
    if (domain_.is_real(j)) largest = std::max(largest, deviations_[j]);
  }
  return largest;
}

double RunCriteria::largest_ratio() const {
  if (domain_.discrete().empty()) {
    return start_deviations_.size() == 1 ? deviations_.maxCoeff() / start_deviations_[0]
                                         : (deviations_.array() / start_deviations_.array()).maxCoeff();
  }
  double largest = 0;
  for (Index j = 0; j < deviations_.size(); ++j) {
    if (domain_.is_real(j)) {
      largest = std::max(largest, deviations_[j] / start_deviations_[start_deviations_.size() == 1 ? 0 : j]);
    }
  }
  return largest;
}

/// No coordinate of the mean changes when a fifth of its standard deviation is added.
Stop RunCriteria::vanished(const Vector& mean) const {
  const double largest = largest_real_deviation();
  bool is_still = true;
  for (Index j = 0; j < mean.size() && is_still; ++j) {
    is_still = !domain_.is_real(j) || mean[j] + 0.2 * deviations_[j] == mean[j];
  }
  if (!(largest < smallest_deviation) && !is_still) return {};
  return {StopReason::vanished,
          "converged: standard deviations of at most " + short_text(largest) + " no longer move the mean"};
}

Stop RunCriteria::exploded() const {
  if (!(deviations_.maxCoeff() > largest_deviation)) return {};
  return {StopReason::exploded,
          "diverged: standard deviations up to " + short_text(deviations_.maxCoeff()) + " exceed 1e150"};
}

Stop RunCriteria::tolx() const {
  const double ratio = largest_ratio();
  if (options_.tolx <= 0 || !(ratio < options_.tolx)) return {};
  return {StopReason::tolx, "converged: standard deviations are at most " + short_text(ratio) +
                                " of the start's < tolx = " + short_text(options_.tolx)};
}

Stop RunCriteria::noeffectcoord(const Vector& mean) const {
  if (!options_.noeffectcoord) return {};
  for (Index j = 0; j < mean.size(); ++j) {
    if (mean[j] + 0.2 * deviations_[j] != mean[j] || !domain_.is_real(j)) continue;
    const std::string who = domain_.space().empty() ? "coordinate " + text(j) : domain_.name(j);
    return {StopReason::noeffectcoord, "converged: a fifth of the standard deviation of " + who + ", " +
                                           short_text(0.2 * deviations_[j]) + ", does not change its mean"};
  }
  return {};
}

/// With discrete coordinates that of the shape with rows of length 1: the margin keeps theirs long while those of real
/// coordinates become as short as they can.
double RunCriteria::condition_of(const Distribution& distribution) const {
  if (domain_.discrete().empty()) return distribution.frobenius_condition();
  const Start start = distribution.snapshot();
  if (!start.factor && !start.direction) return static_cast<double>(start.dimension());
  const Matrix root = start.factor ? *start.factor : Matrix(Eigen::LLT<Matrix>(start.covariance()).matrixL());
  const Matrix rows = scaled_rows(start.deviations.cwiseInverse(), root);
  return rows.norm() * solution(rows, Matrix::Identity(rows.rows(), rows.cols())).norm();
}

/// The Frobenius condition of the shape over d is between its condition and a d-th of it; squared it is the
/// covariance's.
Stop RunCriteria::condition(const Distribution& distribution) const {
  const double product = condition_of(distribution);
  if (!(1 / product >= smallest_rcond)) {
    return {StopReason::lost_rank, "degenerate: the covariance is singular to working precision"};
  }
  const double condition = product / static_cast<double>(distribution.dimension());
  const double limit = options_.tolconditioncov.value_or(0);
  if (limit <= 0 || !(condition * condition > limit)) return {};
  return {StopReason::tolconditioncov, "degenerate: the covariance's condition is about " +
                                           short_text(condition * condition) +
                                           " > tolconditioncov = " + short_text(limit)};
}

/// Medians of the last generations and of as many before them.
Stop RunCriteria::tolstagnation() {
  if (!long_best_.full()) return {};
  const auto window_median = [&](const History& history, std::int64_t begin) {
    for (Index i = 0; i < window_.size(); ++i) window_[i] = history.newest(begin + i);
    return median(window_, window_.size());
  };
  const bool best_stands = window_median(long_best_, 0) >= window_median(long_best_, window_.size());
  const bool median_stands = window_median(long_median_, 0) >= window_median(long_median_, window_.size());
  if (!best_stands || !median_stands) return {};
  const bool is_plateau = recent_best_.full() && is_on_plateau(options_.tolfun);
  const std::string kind = is_plateau ? "plateau: best values are all f = " + short_text(lowest_) + "; " : "";
  return {StopReason::tolstagnation, kind + "stagnation: best and median values of the last " +
                                         text(stagnation_length_) +
                                         " steps are no better than those before (tolstagnation)"};
}

double RunCriteria::recent_range() const { return recent_best_.full() ? range(recent_best_.numbers()) : first_range_; }

void RunCriteria::visit(StateVisitor& visitor) {
  visitor.scalar("lowest", lowest_);
  visitor.scalar("highest", highest_);
  visitor.scalar("first range", first_range_);
  visit_count(visitor, "flat", flat_);
  visitor.scalar("steps", steps_);
  if (is_discrete_) {
    visitor.scalar("run best of criteria", run_best_);
    visitor.integer("unimproved", unimproved_);
  }
  recent_best_.visit(visitor, "recent best");
  recent_worst_.visit(visitor, "recent worst");
  long_best_.visit(visitor, "long best");
  long_median_.visit(visitor, "long median");
  if (recent_best_.count() != recent_worst_.count() || long_best_.count() != long_median_.count()) {
    throw std::invalid_argument("checkpoint: the best and the other values of generations are not equally many");
  }
}

}  // namespace surefoot
