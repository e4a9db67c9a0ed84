#pragma once

#include "surefoot/types.hpp"

namespace surefoot {

/// expm(A) of small symmetric matrices without an eigendecomposition.
///
/// The argument eta/2 G_B is small, so the Taylor polynomial of degree 8 with scaling and squaring reaches rounding
/// error: three products for the polynomial [Bader2019] and one for each squaring. An eigendecomposition costs about
/// three times as much at d = 10 and more above.
class SymmetricExponential {
 public:
  explicit SymmetricExponential(Index dimension);

  /// The result stays valid until the next call. Not finite if A is not.
  const Matrix& operator()(const Matrix& A);

 private:
  Matrix scaled_, A2_, A4_, left_, right_, result_;
};

}  // namespace surefoot
