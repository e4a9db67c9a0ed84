#pragma once

#include "core/linear_algebra/symmetric_eigen.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// The emphasis on expansion of DX-NES-IC [Nomura2021]. Where the covariance has just grown along an old principal axis
/// it grows by a factor gamma more, which remembers how fast it grew before.
class Expansion {
 public:
  Expansion(Index dimension, Index popsize);

  /// The principal axes of C0, the old covariance without sigma.
  void remember(const Matrix& C0);

  /// Compares the new covariance C1 with the old one; gamma follows. In every generation.
  void measure(const Matrix& C1);

  /// B := Q B/q and sigma := q sigma, with Q = I + (gamma - 1) sum e_i e_i^T over the axes that have grown and
  /// q = det(Q)^(1/d).
  void expand(Matrix& B, double& sigma) const;

  [[nodiscard]] double gamma() const { return gamma_; }
  void visit(StateVisitor& visitor) { visitor.scalar("gamma", gamma_); }

 private:
  double c_gamma_;
  double d_gamma_;
  double gamma_ = 1;
  Eigen::SelfAdjointEigenSolver<Matrix> old_;  // of C0
  Matrix grown_;                               // axes that have grown, one per column
};

}  // namespace surefoot
