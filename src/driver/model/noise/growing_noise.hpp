#pragma once

#include "surefoot/types.hpp"

namespace surefoot {

/// Noise whose variance is base + growth u^2, where u is how far the function is above its minimum.
struct GrowingNoise {
  double base = 0;
  double growth = 0;  // 0: the noise is the same everywhere, as far as the residuals tell

  /// Weights of values at these heights, relative to one at the minimum.
  [[nodiscard]] Vector weights(const Vector& heights) const;
};

/// Estimates it from the residuals of a fit, in bins of heights: weighted least squares of the squared deviations.
/// Points whose weight was small so far take no part if there are enough others. d: the number of coordinates.
GrowingNoise growing_noise(const Vector& residuals, const Vector& heights, const Vector& weights, Index d);

}  // namespace surefoot
