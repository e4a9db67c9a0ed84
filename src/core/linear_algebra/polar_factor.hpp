#pragma once

#include "core/linear_algebra/inverse.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// The orthogonal factor O of the polar decomposition B = O P, P symmetric positive definite.
///
/// O = (B B^T)^{-1/2} B takes the frame of B to the frame of the symmetric root of the covariance. Newton's iteration
/// with scaling [Higham1986] gives it without squaring the condition number, as an eigendecomposition of B B^T would.
/// Once all singular values of a small matrix are close to one, the series of (X X^T)^{-1/2} X takes over, which needs
/// no inverse; for a large one, memory is dearer than the last steps of Newton. O(d^3).
class PolarFactor {
 public:
  explicit PolarFactor(Index dimension);

  /// The result stays valid until the next call. Not finite if B is singular.
  const Matrix& operator()(const Matrix& B);

 private:
  void iterate_small();
  void iterate_large();
  double measure_distance();
  double newton_step();
  void series_step();

  Matrix X_;
  Matrix right_;      // workspace
  double scale_ = 1;  // root of the mean squared singular value of X
  Inverse inverse_;

  // Of small matrices only.
  Matrix identity_;
  Matrix E_, E2_;  // X X^T/scale^2 - I and its square
  Matrix left_;    // workspace
};

}  // namespace surefoot
