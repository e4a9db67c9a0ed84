#pragma once

/// \file
/// A = L L^T by the products of products.hpp. The matrix is divided in halves, so that nearly all of the work is in
/// products of large blocks. Only lower parts are read; what is above the diagonal becomes anything.

#include "surefoot/types.hpp"

namespace surefoot {

/// Replaces A by L. False if A is not positive definite to rounding; A is undefined then.
bool factor_cholesky(Matrix& A);

/// x := A^-1 x.
void solve_cholesky(const Matrix& L, Eigen::Ref<Matrix> x);

/// 1/(|A|_1 |A^-1|_1) by estimates of both norms, which are seldom less than a third of them [Higham1988].
double reciprocal_condition(const Matrix& L);

}  // namespace surefoot
