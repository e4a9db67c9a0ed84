#pragma once

#include <optional>

#include "core/linear_algebra/inverse.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// Affine coordinates z of points x = center + axes z. A search distribution N(m, sigma^2 B B^T) is standard normal in
/// the frame (m, sigma B).
class Frame {
 public:
  explicit Frame(Index dimension);

  void set(const Vector& center, const Matrix& axes);
  /// Moves the origin; the axes stay.
  void set_center(const Vector& center) { center_ = center; }
  /// One length per coordinate.
  void set_axis_parallel(const Vector& center, const Vector& lengths);

  [[nodiscard]] const Vector& center() const { return center_; }
  [[nodiscard]] const Matrix& axes() const { return axes_; }

  /// Coordinates of points, one per column.
  void to_local(const Eigen::Ref<const Matrix>& x, Matrix& z) const;
  [[nodiscard]] Vector to_local(const Vector& x) const;
  [[nodiscard]] Vector to_global(const Vector& z) const { return center_ + axes_ * z; }

  /// Another frame seen from this one: x = other.center + other.axes u has here the coordinates z = t + J u.
  void see(const Frame& other, Vector& t, Matrix& J) const;

  /// A coordinate of which rounding leaves nothing: a fifth of its standard deviation where all the others are given,
  /// 1/|axes^{-1} e_j|, does not change the center. That deviation is as short as the shortest axes that the coordinate
  /// takes part in, however long its own one is.
  [[nodiscard]] std::optional<Index> rounded_coordinate() const;

  void visit(StateVisitor& visitor);

 private:
  void invert();

  Vector center_;
  Matrix axes_;
  Matrix inverse_transposed_;  // axes^{-T}; not finite if the axes are dependent
  Inverse inverse_;
};

}  // namespace surefoot
