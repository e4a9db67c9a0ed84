#pragma once

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

  /// The result stays valid until the next call. Not finite if A is not.
  const Matrix& operator()(const Matrix& A);

  /// q := expm(-A) q for the matrix of the last call, by the powers that are there.
  void undo(Vector& q);

 private:
  void compute_polynomials();
  void undo_once(Vector& q);

  Matrix identity_;
  int squarings_ = 0;
  Matrix A_, A2_, A3_;        // A and its powers, scaled
  Matrix B1_, B2_, B3_, B4_;  // polynomials of degree 3
  Matrix A6_, result_;
  Matrix q_, Aq_, A2q_, sum_, product_;  // of a vector, d x 1
};

}  // namespace surefoot
