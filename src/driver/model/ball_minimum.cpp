#include "driver/model/ball_minimum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace surefoot {

// The decomposition of something: copies read whether it worked.
BallMinimum::BallMinimum(Index dimension)
    : eigen_(Matrix(Matrix::Identity(dimension, dimension))),
      gradient_(dimension),
      coordinates_(dimension),
      z_(Vector::Zero(dimension)) {}

void BallMinimum::find(const Quadratic& q, double radius) {
  eigen_.compute(q.H);
  const Vector& lambda = eigen_.eigenvalues();
  gradient_.noalias() = eigen_.eigenvectors().transpose() * q.linear;
  const double rounding = std::numeric_limits<double>::epsilon() * lambda.cwiseAbs().maxCoeff();
  is_interior_ = lambda[0] > rounding && squared_length(0) <= radius * radius;
  if (is_interior_) {
    settle(0);
  } else {
    settle(multiplier(std::max(0.0, rounding - lambda[0]), radius));
    add_lowest_axis(radius);
  }
  z_.noalias() = eigen_.eigenvectors() * coordinates_;
  decrease_ = std::min(0.0, coordinates_.dot(gradient_ + lambda.cwiseProduct(coordinates_)));
}

double BallMinimum::squared_length(double mu) const {
  return (gradient_.array() / (2 * (eigen_.eigenvalues().array() + mu))).square().sum();
}

void BallMinimum::settle(double mu) {
  for (Index i = 0; i < coordinates_.size(); ++i) {
    coordinates_[i] = gradient_[i] == 0 ? 0 : -gradient_[i] / (2 * (eigen_.eigenvalues()[i] + mu));
  }
}

/// By bisection: a step costs O(d), the eigenvectors O(d^3).
double BallMinimum::multiplier(double lowest, double radius) const {
  double low = lowest;
  double high = lowest + gradient_.norm() / (2 * radius);  // z(high) is in the ball
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (squared_length(middle) > radius * radius ? low : high) = middle;
  }
  return high;
}

/// The hard case: no multiplier makes z long enough where the gradient has no part along the lowest eigenvector. Along
/// it q does not rise.
void BallMinimum::add_lowest_axis(double radius) {
  const double missing = radius * radius - coordinates_.squaredNorm();
  if (eigen_.eigenvalues()[0] >= 0 || missing <= 1e-12 * radius * radius) return;
  const double present = coordinates_[0];
  coordinates_[0] = std::copysign(std::sqrt(present * present + missing), gradient_[0] > 0 ? -1.0 : 1.0);
}

}  // namespace surefoot
