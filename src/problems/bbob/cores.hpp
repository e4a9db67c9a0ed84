#pragma once

/// \file
/// Sums that several BBOB functions share.

#include <cmath>
#include <numbers>

#include "problems/bbob/transformations.hpp"

namespace surefoot::bbob {

/// 10 (d - sum cos(2 pi z_i)).
inline double ripples(const double* z, Index d) {
  double cosines = 0;
  for (Index i = 0; i < d; ++i) cosines += std::cos(2 * std::numbers::pi * z[i]);
  return 10 * (static_cast<double>(d) - cosines);
}

inline double sum_of_squares(const double* z, Index d) {
  double sum = 0;
  for (Index i = 0; i < d; ++i) sum += square(z[i]);
  return sum;
}

inline double rastrigin(const double* z, Index d) { return ripples(z, d) + sum_of_squares(z, d); }

/// sum weights_i z_i^2.
inline double weighted_squares(const Vector& weights, const double* z) {
  double sum = 0;
  for (Index i = 0; i < weights.size(); ++i) sum += weights[i] * z[i] * z[i];
  return sum;
}

inline double rosenbrock(const double* z, Index d) {
  double valley = 0;
  double slope = 0;
  for (Index i = 0; i + 1 < d; ++i) {
    valley += square(square(z[i]) - z[i + 1]);
    slope += square(z[i] - 1);
  }
  return 100 * valley + slope;
}

/// max(1, sqrt(d)/8): widens Rosenbrock's valley in high dimension.
inline double valley_zoom(Index d) { return std::max(1.0, std::sqrt(static_cast<double>(d)) / 8); }

/// The point x at which Q x zoom + 1/2 is (1, ..., 1).
inline Vector rotated_valley_end(const Matrix& Q, double zoom) {
  const Index d = Q.rows();
  Vector x(d);
  for (Index j = 0; j < d; ++j) {
    double sum = 0;
    for (Index i = 0; i < d; ++i) sum += Q(i, j);
    x[j] = sum / (2 * zoom);
  }
  return x;
}

}  // namespace surefoot::bbob
