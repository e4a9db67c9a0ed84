#pragma once

#include <cmath>
#include <limits>

namespace surefoot {

enum class BoundHit { none, lower, upper };

/// Whether a coordinate is as near to a bound as a thousandth of the width; on a log scale the logarithms count. NaN
/// and infinite bounds do not count.
inline BoundHit bound_hit(double x, double low, double high, bool is_log) {
  const auto on_axis = [&](double value) { return is_log ? std::log(value) : value; };
  const double here = on_axis(x);
  const double from = on_axis(low);
  const double to = on_axis(high);
  if (from == to) return BoundHit::none;
  const double width = std::isfinite(to - from) ? to - from : std::abs(here);
  if (here - from <= 1e-3 * width) return BoundHit::lower;
  return to - here <= 1e-3 * width ? BoundHit::upper : BoundHit::none;
}

}  // namespace surefoot
