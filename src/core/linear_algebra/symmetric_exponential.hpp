#pragma once

#include "core/linear_algebra/taylor_action.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// expm(A) of small symmetric matrices without an eigendecomposition.
///
/// The argument eta/2 G_B is small, so the Taylor polynomial of degree 12 with scaling and squaring reaches rounding
/// error: four products for the polynomial [Bader2019] and one for each squaring. At d = 10 an eigendecomposition costs
/// ten times as much.
class SymmetricExponential {
 public:
  explicit SymmetricExponential(Index dimension);

  /// The result stays valid until the next call. Not finite if A is not. A must stay as it is for `undo`.
  const Matrix& operator()(const Matrix& A);

  /// A bound on the spectral norm of A, of the last call.
  [[nodiscard]] double norm_bound() const { return norm_; }

  /// q := expm(-A) q for the matrix of the last call, by the powers that are there.
  void undo(Vector& q);

 private:
  void compute_polynomials(double factor);

  Matrix identity_;
  const Matrix* A_ = nullptr;
  double norm_ = 0;
  Matrix A2_, A3_;            // powers of A
  Matrix B1_, B2_, B3_, B4_;  // polynomials of degree 3
  Matrix A6_, result_;
  TaylorAction action_;
};

}  // namespace surefoot
