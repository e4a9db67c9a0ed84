#pragma once

#include "surefoot/types.hpp"

namespace surefoot {

/// Eigenvalues of diag(squares) + u u^T, without the matrix: the roots of the secular equation [Golub1973], which lie
/// between neighbouring squares.
class RankOneEigenvalues {
 public:
  RankOneEigenvalues(const Vector& squares, const Vector& u);

  /// The k-th smallest, by bisection to rounding. O(d).
  [[nodiscard]] double operator()(Index k) const;

 private:
  [[nodiscard]] bool is_below(double x) const;

  Vector poles_;    // squares, ascending
  Vector weights_;  // u_j^2, in the same order
};

}  // namespace surefoot
