#pragma once

#include "surefoot/learning_rate.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

// What a random ranking makes of the natural gradient, exactly: the samples are independent of their weights.

/// E[tr(G_B^2)/2] = (d^2 + d - 2)/(2 mu_w), the number of the shape's parameters over mu_w.
inline double expected_shape_square(Index dimension, double mu_w) {
  const auto d = static_cast<double>(dimension);
  return (d * d + d - 2) / (2 * mu_w);
}
/// The same, or (d - 1)/mu_w of a diagonal shape.
inline double expected_shape_square(const LearningRateContext& context) {
  return context.shape_parameters() / context.mu_w;
}

/// E[tr((G_sigma I)^2)/2] = d/2 E[G_sigma^2] = 1/mu_w.
inline double expected_sigma_square(double mu_w) { return 1 / mu_w; }

}  // namespace surefoot
