#include "search/stop/run_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/elementary/elementary.hpp"
#include "core/visit_count.hpp"
#include "search/stop/median.hpp"
#include "surefoot/outcome.hpp"

namespace surefoot {
namespace {

std::int64_t recent_length(Index d, Index popsize) {
  return 10 + static_cast<std::int64_t>(std::ceil(30 * static_cast<double>(d) / static_cast<double>(popsize)));
}

std::int64_t default_stagnation(Index d, Index popsize) {
  return 100 +
         static_cast<std::int64_t>(100 * elementary::pow(static_cast<double>(d), 1.5) / static_cast<double>(popsize));
}

// Of the pace, lest 0 makes a run endless.
constexpr double smallest_rate = 0.01;

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

}  // namespace

bool has_real_coordinate(const Domain& domain) {
  for (Index k = 0; k < domain.search_dimension(); ++k) {
    if (domain.is_real(k)) return true;
  }
  return false;
}

RunValues::RunValues(const Options& options, const Domain& domain, Index popsize)
    : options_(options),
      domain_(domain),
      is_discrete_(domain.is_discrete()),
      has_real_(has_real_coordinate(domain)),
      recent_stride_(stride_of(recent_length(domain.search_dimension(), popsize))),
      stagnation_length_(options.tolstagnation.value_or(default_stagnation(domain.search_dimension(), popsize))),
      stagnation_stride_(stride_of(stagnation_length_)),
      run_best_(std::numeric_limits<double>::infinity()),
      recent_best_(recent_window(domain.search_dimension(), popsize)),
      recent_worst_(recent_window(domain.search_dimension(), popsize)),
      long_best_(2 * window_length(stagnation_length_, stagnation_stride_)),
      long_median_(2 * window_length(stagnation_length_, stagnation_stride_)),
      sorted_(popsize),
      window_(window_length(stagnation_length_, stagnation_stride_)),
      half_(recent_best_.numbers().size() / 2) {}

void RunValues::remember(const Vector& values, std::int64_t generation, double pace) {
  const auto stride = static_cast<double>(stagnation_stride_);
  const double strides_before = std::floor(steps_ / stride);
  steps_ += std::sqrt(std::clamp(pace, smallest_rate, 1.0));
  if (sorted_.size() < values.size()) sorted_.resize(values.size());
  Index finite = 0;
  for (const double value : values) {
    if (is_finite(value)) sorted_[finite++] = value;
  }
  if (finite == 0) {
    flat_ = 0;
  } else {
    push(finite, generation % recent_stride_ == 0, std::floor(steps_ / stride) > strides_before);
  }
}

/// `is_recent`: for the tests of recent values, `is_long_term`: for the test of stagnation too.
void RunValues::push(Index finite, bool is_recent, bool is_long_term) {
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

void RunValues::count_unimproved() {
  const double least = has_real_ ? scaled(options_.tolfunhist) : 0;
  unimproved_ = lowest_ < run_best_ - least ? 0 : unimproved_ + 1;
  run_best_ = std::min(run_best_, lowest_);
}

bool RunValues::is_level() const { return recent_best_.full() && recent_best_.range() <= scaled(options_.tolfunhist); }

double RunValues::scaled(double tolerance) const {
  return first_range_ > 0 ? tolerance * std::min(1.0, first_range_) : tolerance;
}

bool RunValues::is_on_plateau(double tolerance) const {
  if (recent_best_.range() > 0) return false;
  if (flat_ >= recent_generations()) return true;
  constexpr double roundings = 16 * std::numeric_limits<double>::epsilon();
  const double spread = recent_worst_.numbers().maxCoeff() - lowest_;
  return spread > std::max(1000 * tolerance, roundings * std::abs(lowest_));
}

void RunValues::visit(StateVisitor& visitor) {
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
