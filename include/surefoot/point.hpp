#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Points and lists of numbers from any container. Eigen's vectors alone would be a trap: they read {3, 4} as a
/// number of rows and columns.

#include <initializer_list>
#include <utility>
#include <vector>

#include "surefoot/types.hpp"

namespace surefoot {

/// A point, from anything that lists numbers: an Eigen vector or expression, a std::vector, {1, 2, 3}.
class Point : public Vector {
 public:
  Point() = default;
  Point(std::initializer_list<double> x)  // NOLINT(google-explicit-constructor): x0 reads as a value
      : Vector(Eigen::Map<const Vector>(x.begin(), static_cast<Index>(x.size()))) {}
  Point(const std::vector<double>& x)  // NOLINT(google-explicit-constructor)
      : Vector(Eigen::Map<const Vector>(x.data(), static_cast<Index>(x.size()))) {}
  Point(Vector&& x) : Vector(std::move(x)) {}  // NOLINT(google-explicit-constructor)
  template <class Derived>
  Point(const Eigen::DenseBase<Derived>& x)  // NOLINT(google-explicit-constructor)
      : Vector(x.derived().template cast<double>()) {}

  using Vector::operator=;
  Point& operator=(std::initializer_list<double> x) { return *this = Point(x); }

  [[nodiscard]] const Vector& vector() const { return *this; }
};

/// Numbers, one per coordinate, as a `Point`, or one number for all coordinates.
class Coordinates : public Point {
 public:
  using Point::Point;
  Coordinates() = default;
  Coordinates(double common) : Point{common} {}  // NOLINT(google-explicit-constructor)

  using Vector::operator=;
  Coordinates& operator=(std::initializer_list<double> x) { return *this = Coordinates(x); }
};

/// Several points: {{1, 2}, {3, 4}}, or a std::vector of vectors.
class PointList : public std::vector<Vector> {
 public:
  PointList() = default;
  PointList(std::initializer_list<Point> points)  // NOLINT(google-explicit-constructor)
      : std::vector<Vector>(points.begin(), points.end()) {}
  PointList(std::vector<Vector> points)
      : std::vector<Vector>(std::move(points)) {}              // NOLINT(google-explicit-constructor)
  PointList(const std::vector<std::vector<double>>& points) {  // NOLINT(google-explicit-constructor)
    for (const Point point : points) push_back(point);
  }
};

}  // namespace surefoot
