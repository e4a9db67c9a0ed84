#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Box constraints.

#include <limits>
#include <optional>

#include "surefoot/types.hpp"

namespace surefoot {

/// lower <= x <= upper for each coordinate. An infinite bound is no bound; equal bounds fix a coordinate. A side may be
/// empty, or hold one number for all coordinates.
struct Bounds {
  Vector lower = {};
  Vector upper = {};

  /// The same interval for all coordinates.
  static Bounds all(double low, double high) { return {Vector::Constant(1, low), Vector::Constant(1, high)}; }

  [[nodiscard]] bool empty() const { return lower.size() == 0 && upper.size() == 0; }
};

}  // namespace surefoot
