#pragma once

#include <cmath>
#include <utility>

#include "core/geometric_mean.hpp"
#include "surefoot/start.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// A = diag(s): as many numbers as coordinates. Of a start with correlations it takes the standard deviations.
class DiagonalShape {
 public:
  /// |A|_F |A^-1|_F.
  class Condition;

  static double sigma_of(const Start& start) { return geometric_mean(start.deviations); }
  DiagonalShape(const Start& start, double sigma) : s(start.deviations / sigma) {}

  [[nodiscard]] Index dimension() const { return s.size(); }
  [[nodiscard]] Index size() const { return s.size(); }

  void deviations(Vector& out) const { out = s; }
  void axis(Index k, Vector& out) const;
  [[nodiscard]] bool is_finite() const { return s.allFinite(); }

  void multiply(const Matrix& z, Matrix& y) const { y.noalias() = s.asDiagonal() * z; }
  void solve(Eigen::Ref<Matrix> y) const { y.array().colwise() /= s.array(); }
  void scale_rows(const Vector& factors) { s.array() *= factors.array(); }

  [[nodiscard]] Vector axis_lengths() const;
  [[nodiscard]] std::pair<double, double> extreme_lengths() const { return {s.maxCoeff(), s.minCoeff()}; }
  [[nodiscard]] Start snapshot(const Vector& mean, double sigma) const { return {mean, sigma * s}; }

  void visit(StateVisitor& visitor) { visitor.vector("s", s); }

  Vector s;
};

class DiagonalShape::Condition {
 public:
  explicit Condition(const DiagonalShape& /*shape*/) {}

  double operator()(const DiagonalShape& shape) const { return shape.s.norm() * shape.s.cwiseInverse().norm(); }
};

}  // namespace surefoot
