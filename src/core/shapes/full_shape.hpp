#pragma once

#include <cmath>
#include <utility>

#include "core/linear_algebra/inverse.hpp"
#include "core/linear_algebra/norm_bound.hpp"
#include "surefoot/executor.hpp"
#include "surefoot/start.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// A shape is the A of N(m, sigma^2 A A^T). This one is a d x d matrix B, not symmetric in general.
///
/// All shapes have the same functions, so that samplers and distributions are written once (core/shapes/normal.hpp).
class FullShape {
 public:
  /// |A|_F |A^-1|_F, with the memory that it takes.
  class Condition;

  /// What a start's standard deviations have in common.
  static double sigma_of(const Start& start) { return start.sigma(); }
  /// A of a start, of which `sigma` is taken out.
  FullShape(const Start& start, double sigma);

  [[nodiscard]] Index dimension() const { return B.rows(); }
  [[nodiscard]] Index size() const { return B.size(); }

  /// Norms of the rows of A.
  void deviations(Vector& out) const;
  void axis(Index k, Vector& out) const { out = B.col(k); }
  [[nodiscard]] bool is_finite() const { return bound.is_finite(); }

  /// y = A z.
  void multiply(const Matrix& z, Matrix& y, Executor* executor = nullptr) const;
  /// Replaces the columns y by A^-1 y. O(d^3).
  void solve(Eigen::Ref<Matrix> y) const;

  /// Multiplies the rows of A by factors whose geometric mean is 1.
  void scale_rows(const Vector& factors);

  /// Lengths of the principal axes, descending.
  [[nodiscard]] Vector axis_lengths() const;
  /// The longest and the shortest.
  [[nodiscard]] std::pair<double, double> extreme_lengths() const;
  /// sigma^2 A A^T as a start.
  [[nodiscard]] Start snapshot(const Vector& mean, double sigma) const { return Start::with_factor(mean, sigma * B); }

  void visit(StateVisitor& visitor);

  Matrix B;
  NormBound bound;  // of B, followed by those who change it
};

class FullShape::Condition {
 public:
  explicit Condition(const FullShape& shape)
      : inverse_(shape.dimension()), inverse_transposed_(shape.dimension(), shape.dimension()) {}

  double operator()(const FullShape& shape) {
    inverse_.transposed(shape.B, inverse_transposed_);
    return shape.B.norm() * inverse_transposed_.norm();
  }

 private:
  Inverse inverse_;
  Matrix inverse_transposed_;
};

}  // namespace surefoot
