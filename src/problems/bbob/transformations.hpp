#pragma once

/// \file
/// The parts of which the BBOB functions are composed [HansenFinck2009, sec. 0.2]. The order of operations is that of
/// the original program, so that values agree to the last bit.

#include <cmath>

#include "surefoot/types.hpp"

namespace surefoot::bbob {

inline double square(double t) { return t * t; }

/// Rounds to the nearest integer, halves upwards.
inline double rounded(double t) { return std::floor(t + 0.5); }

/// i/(d-1): 0 for the first coordinate, 1 for the last.
inline double position(Index i, Index d) { return static_cast<double>(i) / static_cast<double>(d - 1); }

/// T_osz: smooth local irregularities around the identity.
inline double oscillated(double x) {
  if (x == 0) return 0;
  const double h = std::log(std::abs(x)) / 0.1;
  if (x > 0) return std::pow(std::exp(h + 0.49 * (std::sin(h) + std::sin(0.79 * h))), 0.1);
  return -std::pow(std::exp(h + 0.49 * (std::sin(0.55 * h) + std::sin(0.31 * h))), 0.1);
}

/// T_asy^beta: breaks the symmetry of positive and negative coordinates.
inline void make_asymmetric(double beta, double* x, Index d) {
  const auto last = static_cast<double>(d - 1);
  for (Index i = 0; i < d; ++i) {
    if (x[i] > 0) x[i] = std::pow(x[i], 1 + beta * static_cast<double>(i) / last * std::sqrt(x[i]));
  }
}

/// Diagonal of Lambda^alpha: condition^(i/(d-1)/2), from the root of the condition.
inline Vector scales(double root, Index d) {
  Vector lambda(d);
  for (Index i = 0; i < d; ++i) lambda[i] = std::pow(root, position(i, d));
  return lambda;
}

/// y = A x, summed in the order of the coordinates.
inline void multiply(const Matrix& A, const double* x, double* y, double start = 0) {
  const Index d = A.rows();
  for (Index i = 0; i < d; ++i) y[i] = start;
  for (Index j = 0; j < d; ++j) {
    const double* column = A.data() + j * d;
    for (Index i = 0; i < d; ++i) y[i] += column[i] * x[j];
  }
}

/// R Lambda Q.
inline Matrix conditioned(const Matrix& R, const Vector& lambda, const Matrix& Q) {
  const Index d = R.rows();
  const Matrix scaled = R * lambda.asDiagonal();
  Matrix M(d, d);
  for (Index j = 0; j < d; ++j) multiply(scaled, Q.data() + j * d, M.data() + j * d);
  return M;
}

/// Sum of squared distances to the box [-5, 5]^d.
inline double outside_box(const double* x, Index d) {
  double sum = 0;
  for (Index i = 0; i < d; ++i) {
    const double excess = std::abs(x[i]) - 5;
    if (excess > 0) sum += square(excess);
  }
  return sum;
}

}  // namespace surefoot::bbob
