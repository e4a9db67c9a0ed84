#pragma once

#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// q(z) = constant + linear^T z + z^T H z.
struct Quadratic {
  double constant = 0;
  Vector linear;
  Matrix H;  // symmetric; half the second derivatives

  explicit Quadratic(Index dimension) : linear(Vector::Zero(dimension)), H(Matrix::Zero(dimension, dimension)) {}

  [[nodiscard]] double value(const Vector& z) const { return constant + z.dot(linear + H * z); }

  /// Values at points, one per column. `product` is workspace.
  void values(const Matrix& z, Matrix& product, Vector& result) const;

  /// result(u) = q(t + J u) for all u, exactly: no points are needed to see a quadratic in another frame.
  void substitute(const Vector& t, const Matrix& J, Quadratic& result) const;

  [[nodiscard]] bool is_finite() const;

  void visit(StateVisitor& visitor);
};

}  // namespace surefoot
