#include "core/linear_algebra/polar_factor.hpp"

#include <cmath>

#include "core/linear_algebra/pack.hpp"
#include "core/linear_algebra/products.hpp"

namespace surefoot {
namespace {

constexpr int max_iterations = 40;  // about 9 are needed at a condition of 1e16

constexpr Index largest_small = 128;

// The series converges below 1. An inverse costs as much as ten products at d = 10, so that three steps of the series
// are cheaper than one of Newton's.
constexpr double series_distance = 0.8;

// The error of a step of the series is half the fifth power of the distance.
constexpr double last_distance = 5e-4;

// The error of a step of Newton's is half the square of its length.
constexpr double last_step = 1e-8;

Index if_small(Index d) { return d <= largest_small ? d : 0; }

}  // namespace

PolarFactor::PolarFactor(Index d)
    : X_(d, d),
      right_(d, d),
      inverse_(d),
      identity_(Matrix::Identity(if_small(d), if_small(d))),
      E_(if_small(d), if_small(d)),
      E2_(if_small(d), if_small(d)),
      left_(if_small(d), if_small(d)) {}

const Matrix& PolarFactor::operator()(const Matrix& B) {
  X_ = B;
  if (B.rows() <= largest_small) {
    iterate_small();
  } else {
    iterate_large();
  }
  return X_;
}

void PolarFactor::iterate_small() {
  for (int i = 0; i < max_iterations; ++i) {
    const double distance = measure_distance();
    if (!std::isfinite(distance)) break;
    if (distance > series_distance) {
      newton_step();
    } else {
      series_step();
      if (distance < last_distance) break;
    }
  }
}

/// The scaling g is 1 to rounding once X is nearly orthogonal, so it need not be switched off.
void PolarFactor::iterate_large() {
  const double norm = std::sqrt(static_cast<double>(X_.rows()));
  for (int i = 0; i < max_iterations; ++i) {
    const double step = newton_step();
    if (!(step > last_step * norm)) break;
  }
}

/// A bound on |s^2 - 1| for the singular values s of X/scale.
double PolarFactor::measure_distance() {
  multiply_symmetric(X_, X_, E_);
  const double mean_square = E_.trace() / static_cast<double>(E_.rows());
  scale_ = std::sqrt(mean_square);
  assign_entries(
      E_, [mean_square](const auto& XX, const auto& I) SUREFOOT_KERNEL { return XX / mean_square - I; }, E_, identity_);
  const double frobenius = E_.norm();
  if (!(frobenius < 3 * series_distance)) return frobenius;
  multiply_symmetric(E_, E_, E2_);
  return std::sqrt(E2_.norm());
}

/// X := (I - E/2 + 3/8 E^2 - 5/16 E^3 + 35/128 E^4) X/scale, the first terms of (I + E)^{-1/2}.
void PolarFactor::series_step() {
  assign_entries(
      left_, [](const auto& E, const auto& E2) SUREFOOT_KERNEL { return -5.0 / 16 * E + 35.0 / 128 * E2; }, E_, E2_);
  multiply_symmetric(E2_, left_, right_);
  assign_entries(
      left_,
      [](const auto& I, const auto& E, const auto& E2, const auto& rest)
          SUREFOOT_KERNEL { return rest - 0.5 * E + 3.0 / 8 * E2 + I; },
      identity_, E_, E2_, right_);
  assign_entries(
      X_, [scale = scale_](const auto& X) SUREFOOT_KERNEL { return X / scale; }, X_);
  multiply(left_, X_, right_);
  X_.swap(right_);
}

/// X := (g X + X^{-T}/g)/2, g^2 = |X^{-1}|/|X|. Returns the length of the step, in the Frobenius norm.
double PolarFactor::newton_step() {
  inverse_.transposed(X_, right_);
  const double g = std::sqrt(right_.norm() / X_.norm());
  const double a = g / 2;
  const double b = 0.5 / g;
  const double length = X_.rows() <= largest_small ? 0 : ((a - 1) * X_ + b * right_).norm();
  assign_entries(
      X_, [a, b](const auto& X, const auto& Y) SUREFOOT_KERNEL { return a * X + b * Y; }, X_, right_);
  return length;
}

}  // namespace surefoot
