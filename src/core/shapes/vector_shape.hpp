#pragma once

#include <cmath>
#include <utility>

#include "surefoot/start.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// A A^T = D (I + v v^T) D: one number a coordinate and one direction, so twice as many numbers as coordinates
/// [NomuraOno2022b]. A = D (I + (sqrt(1 + |v|^2) - 1) v v^T/|v|^2). Of a start with a full matrix of correlations it
/// takes the standard deviations.
class VectorShape {
 public:
  /// |A|_F |A^-1|_F.
  class Condition;

  static double sigma_of(const Start& start);
  VectorShape(const Start& start, double sigma);

  [[nodiscard]] Index dimension() const { return D.size(); }
  [[nodiscard]] Index size() const { return D.size() + v.size(); }

  void deviations(Vector& out) const { out = D.array() * (1 + v.array().square()).sqrt(); }
  void axis(Index k, Vector& out) const;
  [[nodiscard]] bool is_finite() const { return D.allFinite() && v.allFinite(); }

  void multiply(const Matrix& z, Matrix& y) const;
  void solve(Eigen::Ref<Matrix> y) const;
  void scale_rows(const Vector& factors) { D.array() *= factors.array(); }

  /// O(d^2).
  [[nodiscard]] Vector axis_lengths() const;
  /// The longest and the shortest. O(d).
  [[nodiscard]] std::pair<double, double> extreme_lengths() const;
  [[nodiscard]] Start snapshot(const Vector& mean, double sigma) const;

  void visit(StateVisitor& visitor) {
    visitor.vector("D", D);
    visitor.vector("v", v);
  }

  /// I + share v v^T is the root of I + v v^T, or its inverse.
  [[nodiscard]] double share_of_root() const;
  [[nodiscard]] double share_of_inverse_root() const;

  Vector D;
  Vector v;
};

class VectorShape::Condition {
 public:
  explicit Condition(const VectorShape& /*shape*/) {}

  double operator()(const VectorShape& shape) const;
};

}  // namespace surefoot
