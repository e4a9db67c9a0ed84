#include "core/discrete/value_grid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/elementary/elementary.hpp"

namespace surefoot {
namespace {

constexpr std::int64_t farthest = std::int64_t{1} << 53U;

std::int64_t nearest_integer(double x) {
  constexpr auto most = static_cast<double>(farthest);
  return static_cast<std::int64_t>(std::clamp(x, -most, most));
}

}  // namespace

ValueGrid ValueGrid::integers(double low, double high, bool is_log) {
  return {nearest_integer(std::ceil(low)), nearest_integer(std::floor(high)), is_log, {}};
}

ValueGrid ValueGrid::list(std::vector<double> values, bool is_log) {
  const auto last = static_cast<std::int64_t>(values.size()) - 1;
  return {0, last, is_log, std::move(values)};
}

bool ValueGrid::is_bounded() const { return first_ > -farthest && last_ < farthest; }

double ValueGrid::value(std::int64_t k) const {
  return values_.empty() ? static_cast<double>(k) : values_[static_cast<std::size_t>(k)];
}

double ValueGrid::position(std::int64_t k) const { return is_log_ ? elementary::log(value(k)) : value(k); }

double ValueGrid::step_at(std::int64_t k) const {
  const double below = k > first_ ? position(k) - position(k - 1) : position(k + 1) - position(k);
  const double above = k < last_ ? position(k + 1) - position(k) : below;
  return std::min(below, above);
}

/// A guess, which rounding and logarithms may put into a neighbouring cell, and steps to the right one.
std::int64_t ValueGrid::cell(double u) const {
  if (!(u > position(first_))) return first_;  // NaN too
  if (u >= position(last_)) return last_;
  const double x = is_log_ ? elementary::exp(u) : u;
  std::int64_t k = 0;
  if (values_.empty()) {
    k = nearest_integer(std::ceil(x - 0.5));
  } else {
    k = std::lower_bound(values_.begin(), values_.end(), x) - values_.begin();
  }
  k = std::clamp(k, first_, last_);
  while (k > first_ && u <= threshold(k - 1)) --k;
  while (k < last_ && u > threshold(k)) ++k;
  return k;
}

}  // namespace surefoot
