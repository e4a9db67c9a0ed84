#pragma once

#include <utility>

#include "core/blocks.hpp"
#include "surefoot/start.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// A = diag(s) F_n ... F_1 with F_j = (1 - c_j) I + c_j M_j M_j^T and c_j = 1.5^(1 - j)/d: as many numbers as
/// coordinates, for each direction M_j [Loshchilov2018]. The product is kept as a (I + M K M^T), so that everything
/// takes two passes over M.
class LowRankShape {
 public:
  /// |A|_F |A^-1|_F, of the factors without s.
  class Condition;

  static double sigma_of(const Start& start);
  /// Without directions. Of a start with correlations it takes the standard deviations.
  LowRankShape(const Start& start, double sigma);

  [[nodiscard]] Index dimension() const { return s.size(); }
  [[nodiscard]] Index size() const { return s.size() + M.size(); }

  /// Uses the first n columns of M. To be called whenever they change.
  void update(Index n, Blocks& blocks);

  void deviations(Vector& out) const;
  void axis(Index k, Vector& out) const;
  [[nodiscard]] bool is_finite() const { return s.allFinite() && M.allFinite(); }

  void multiply(const Matrix& z, Matrix& y) const;
  /// The same in place.
  void multiply(Blocks& blocks, Matrix& z) const;
  void solve(Eigen::Ref<Matrix> y) const;
  void scale_rows(const Vector& factors) { s.array() *= factors.array(); }

  /// Of A without s, which is constant unless bounds have changed it.
  [[nodiscard]] Vector axis_lengths() const;
  /// The longest and the shortest of them.
  [[nodiscard]] std::pair<double, double> extreme_lengths() const;
  /// The standard deviations: a start with all correlations would be a d x d matrix.
  [[nodiscard]] Start snapshot(const Vector& mean, double sigma) const;

  void visit(StateVisitor& visitor);

  Vector s;
  Matrix M;  // d x n_p, one direction a column

 private:
  [[nodiscard]] auto used() const { return M.leftCols(K_.rows()); }

  double a_ = 1;
  Matrix K_;        // n x n
  Matrix inverse_;  // A^-1 = (I + M inverse M^T)/a diag(1/s)
};

class LowRankShape::Condition {
 public:
  explicit Condition(const LowRankShape& /*shape*/) {}

  double operator()(const LowRankShape& shape) const {
    const Vector lengths = shape.axis_lengths();
    return lengths.norm() * lengths.cwiseInverse().norm();
  }
};

}  // namespace surefoot
