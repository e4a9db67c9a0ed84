#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Where a search starts: a point and a standard deviation, or a normal distribution.

#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "surefoot/point.hpp"

namespace surefoot {

/// The start's standard deviation: one number for all coordinates or one per coordinate; by default a quarter of the
/// width of the bounds.
class Sigma0 {
 public:
  Sigma0() = default;
  Sigma0(double sigma) : values_(Vector::Constant(1, sigma)), scalar_(true) {}  // NOLINT(google-explicit-constructor)
  Sigma0(std::initializer_list<double> sigmas) : Sigma0(Point(sigmas)) {}       // NOLINT(google-explicit-constructor)
  Sigma0(const std::vector<double>& sigmas) : Sigma0(Point(sigmas)) {}          // NOLINT(google-explicit-constructor)
  template <class Derived>
  Sigma0(const Eigen::MatrixBase<Derived>& sigmas) : Sigma0(Point(sigmas)) {}  // NOLINT(google-explicit-constructor)
  Sigma0(const Point& sigmas) : values_(sigmas.vector()) {}                    // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool is_given() const { return values_.size() > 0; }
  /// Whether it is one and the same number for all coordinates.
  [[nodiscard]] bool is_common() const { return is_given() && (values_.array() == values_[0]).all(); }

  /// One positive number per coordinate.
  /// \throws std::invalid_argument if one is not positive and finite or their count is not d.
  [[nodiscard]] Vector per_coordinate(Index dimension) const;

 private:
  Vector values_;
  bool scalar_ = false;
};

/// A normal distribution: the start of a search, or the result of one. It has a d x d matrix only if it was given one.
struct Start {
  Point mean;
  Point deviations;                   // standard deviations of the coordinates
  std::optional<Matrix> factor = {};  // any A with covariance A A^T; empty: diag(deviations)
  /// One direction u of correlations, without a matrix: covariance(i, j) = u_i u_j for i != j. Not with a factor.
  std::optional<Point> direction = {};

  /// A distribution with a given covariance, symmetric and positive definite.
  /// \throws std::invalid_argument if it is not.
  static Start with_covariance(const Vector& mean, const Matrix& covariance);
  /// The same with a given root of the covariance.
  static Start with_factor(const Vector& mean, Matrix factor);

  [[nodiscard]] Index dimension() const { return mean.size(); }
  /// Standard deviations apart from the common direction: sqrt(deviations^2 - u^2).
  [[nodiscard]] Vector own_deviations() const;
  /// Geometric mean of the lengths of the principal axes: the d-th root of det A. O(d^3) with a factor.
  [[nodiscard]] double sigma() const;
  /// Always d x d.
  [[nodiscard]] Matrix covariance() const;
  /// Standard deviations along the principal axes, descending. O(d^3) with a factor, O(d^2) with a direction.
  [[nodiscard]] Vector axis_lengths() const;
  /// m + A z.
  [[nodiscard]] Vector point(const Vector& z) const;
  /// Multiplies all standard deviations.
  void widen(double by);
  /// Changes to coordinates that are these times `units`.
  void rescale(const Vector& units);
};

}  // namespace surefoot
