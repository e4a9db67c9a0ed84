#pragma once

/// \file
/// Where a search starts: a point and a standard deviation.

#include <initializer_list>
#include <utility>
#include <vector>

#include "surefoot/types.hpp"

namespace surefoot {

/// A start point, from anything that lists numbers: an Eigen vector or expression, a std::vector, {1, 2, 3}.
class Point {
 public:
  Point(std::initializer_list<double> x)  // NOLINT(google-explicit-constructor): x0 reads as a value
      : x_(Eigen::Map<const Vector>(x.begin(), static_cast<Index>(x.size()))) {}
  Point(const std::vector<double>& x)  // NOLINT(google-explicit-constructor)
      : x_(Eigen::Map<const Vector>(x.data(), static_cast<Index>(x.size()))) {}
  template <class Derived>
  Point(const Eigen::MatrixBase<Derived>& x) : x_(x) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] const Vector& vector() const { return x_; }

 private:
  Vector x_;
};

/// The start's standard deviation: one number for all coordinates or one each, or nothing: a quarter of the width of
/// the bounds.
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

  /// One positive number per coordinate.
  /// \throws std::invalid_argument if one is not positive and finite or their count is not d.
  [[nodiscard]] Vector per_coordinate(Index dimension) const;

 private:
  Vector values_;
  bool scalar_ = false;
};

}  // namespace surefoot
