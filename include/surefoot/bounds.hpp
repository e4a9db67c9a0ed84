#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Box constraints.

#include <limits>
#include <optional>

#include "surefoot/point.hpp"

namespace surefoot {

/// lower <= x <= upper for each coordinate: {{-5, 0}, {5, 1}} or, the same for all coordinates, {-5, 5}. An infinite
/// bound does not limit; equal bounds fix a coordinate. A side may be empty.
struct Bounds {
  Coordinates lower = {};
  Coordinates upper = {};

  /// The same interval for all coordinates.
  static Bounds all(double low, double high) { return {low, high}; }

  [[nodiscard]] bool empty() const { return lower.size() == 0 && upper.size() == 0; }
};

}  // namespace surefoot
