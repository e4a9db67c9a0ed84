#pragma once

#include <Eigen/LU>

#include "core/small_inverse.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// The orthogonal factor O of the polar decomposition B = O P, P symmetric positive definite.
///
/// O = (B B^T)^{-1/2} B takes the frame of B to the frame of the symmetric root of the covariance. Newton's iteration
/// with scaling [Higham1986] gives it without squaring the condition number, as an eigendecomposition of B B^T would.
/// Once all singular values are close to one, the series of (X X^T)^{-1/2} X takes over, which needs no inverse.
/// O(d^3).
class PolarFactor {
 public:
  explicit PolarFactor(Index dimension);

  /// The result stays valid until the next call. Not finite if B is singular.
  const Matrix& operator()(const Matrix& B);

 private:
  double measure_distance();
  void newton_step();
  void series_step();
  void invert_transposed();

  Matrix identity_;
  Matrix X_;
  Matrix E_, E2_;        // X X^T/scale^2 - I and its square
  Matrix left_, right_;  // workspace
  double scale_ = 1;     // root of the mean squared singular value of X
  SmallInverse small_;
  Eigen::PartialPivLU<Matrix> lu_;
};

}  // namespace surefoot
