#pragma once

#include <Eigen/LU>

#include "surefoot/types.hpp"

namespace surefoot {

/// The orthogonal factor O of the polar decomposition B = O P, P symmetric positive definite.
///
/// O = (B B^T)^{-1/2} B takes the frame of B to the frame of the symmetric root of the covariance. Computed by Newton's
/// iteration with Higham's scaling [Higham1986], which, unlike an eigendecomposition of B B^T, does not square the
/// condition number. O(d^3).
class PolarFactor {
 public:
  explicit PolarFactor(Index dimension);

  /// The result stays valid until the next call. Not finite if B is singular.
  const Matrix& operator()(const Matrix& B);

 private:
  Eigen::PartialPivLU<Matrix> lu_;
  Matrix identity_, X_, inverse_, next_;
};

}  // namespace surefoot
