#pragma once

#include <vector>

#include "surefoot/bounds.hpp"

namespace surefoot {

/// From unbounded coordinates, in which strategies search, to the user's, which obey the bounds.
///
/// Each coordinate is mapped by pycma's smooth transformation: the identity well inside the interval, a parabola close
/// to a bound, periodic beyond. Fixed coordinates are left out of the search.
class BoundTransform {
 public:
  /// \throws std::invalid_argument for bounds that are no bounds, or if x0 is outside.
  BoundTransform(const Bounds& bounds, const Vector& x0);

  /// Whether there is anything to transform.
  [[nodiscard]] bool is_active() const { return active_; }
  [[nodiscard]] Index user_dimension() const { return lower_.size(); }
  [[nodiscard]] Index search_dimension() const { return static_cast<Index>(free_.size()); }

  void to_user(const Matrix& points, Matrix& user) const;
  [[nodiscard]] Vector to_user(const Vector& point) const;
  /// Of a point within the bounds.
  [[nodiscard]] Vector to_search(const Vector& user) const;
  /// One number for each searched coordinate of one for each user coordinate.
  [[nodiscard]] Vector searched(const Vector& per_coordinate) const;
  /// The other way; fixed coordinates get `fixed`.
  [[nodiscard]] Vector all(const Vector& per_searched, double fixed) const;

  /// The largest standard deviation that is of use in each searched coordinate: a third of the interval, as in pycma.
  /// Beyond it the transformation folds the distribution until it is all but uniform, which no ranking can shrink
  /// again.
  [[nodiscard]] Vector largest_deviations() const;

  /// Whether every searched coordinate has two finite bounds.
  [[nodiscard]] bool is_box() const;
  [[nodiscard]] const Vector& lower() const { return lower_; }
  [[nodiscard]] const Vector& upper() const { return upper_; }

 private:
  bool active_;
  Vector lower_, upper_;  // of the user's coordinates, with infinities
  Vector fixed_;          // the user's start, of which fixed coordinates are taken
  std::vector<Index> free_;
};

/// One coordinate of the transformation, and its inverse on [low, high].
double transform_into(double low, double high, double x);
double transform_back(double low, double high, double t);

}  // namespace surefoot
