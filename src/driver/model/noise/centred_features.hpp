#pragma once

#include "driver/model/quadratic.hpp"

namespace surefoot {

// A quadratic as a sum of features that are uncorrelated where z is standard normal: 1, z_i, (|z|^2 - d)/sqrt(2d), then
// (z_i^2 - 1)/sqrt 2 and z_i z_j. The first d + 2 describe a sphere, the others how the quadratic deviates from one.

[[nodiscard]] constexpr Index sphere_features(Index d) { return d + 2; }
[[nodiscard]] constexpr Index all_features(Index d) { return 2 * d + 2 + d * (d - 1) / 2; }

/// One column per point.
Matrix centred_features(const Matrix& z);

/// The quadratic that these coefficients stand for.
Quadratic quadratic_of(const Vector& coefficients, Index d);

/// Derivatives of the gradient at z with respect to the coefficients, one column each.
Matrix gradient_by_coefficients(const Vector& z);

}  // namespace surefoot
