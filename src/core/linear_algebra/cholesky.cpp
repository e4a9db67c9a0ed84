#include "core/linear_algebra/cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "core/linear_algebra/block_products.hpp"
#include "core/linear_algebra/pack.hpp"

namespace surefoot {
namespace {

using Submatrix = Eigen::Ref<Matrix>;
using ConstSubmatrix = Eigen::Ref<const Matrix>;

constexpr Index undivided = 8;  // sides that are not divided: a row of a pack each fits into the registers

/// The larger half, of whole small blocks.
Index first_part(Index n) { return (n / 2 + undivided - 1) / undivided * undivided; }

/// Columns of L one after the other.
bool factor_small(Submatrix A) {
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index k = 0; k < j; ++k) {
      for (Index i = j; i < A.rows(); ++i) A(i, j) -= A(i, k) * A(j, k);
    }
    if (!(A(j, j) > 0)) return false;
    A(j, j) = std::sqrt(A(j, j));
    for (Index i = j + 1; i < A.rows(); ++i) A(i, j) /= A(j, j);
  }
  return true;
}

/// A row of X, or as many as a pack has numbers.
template <class Real>
SUREFOOT_INLINE void divide_row(const double* L, Index L_stride, Index n, double* x, Index x_stride) {
  Real row[undivided] = {};  // NOLINT(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays): as in products.cpp
  for (Index k = 0; k < n; ++k) {
    row[k] = load<Real>(x + k * x_stride);
    for (Index l = 0; l < k; ++l) row[k] -= row[l] * L[k + l * L_stride];
    row[k] /= L[k + k * L_stride];
    store(x + k * x_stride, row[k]);
  }
}

/// X := X L^-T.
void divide_small(const ConstSubmatrix& L, Submatrix X) {
  for_all(X.rows(), [l = L.data(), L_stride = L.outerStride(), n = L.rows(), x = X.data(), x_stride = X.outerStride()](
                        auto real, Index i) SUREFOOT_KERNEL {
    divide_row<typename decltype(real)::type>(l, L_stride, n, x + i, x_stride);
  });
}

void divide(const ConstSubmatrix& L, Submatrix X) {
  const Index n = L.rows();
  if (n <= undivided) return divide_small(L, X);
  const Index first = first_part(n);
  divide(L.topLeftCorner(first, first), X.leftCols(first));
  subtract_outer(X.leftCols(first), L.bottomLeftCorner(n - first, first), X.rightCols(n - first));
  divide(L.bottomRightCorner(n - first, n - first), X.rightCols(n - first));
}

bool factor_in_place(Submatrix A) {
  const Index n = A.rows();
  if (n <= undivided) return factor_small(A);
  const Index first = first_part(n);
  const Index rest = n - first;
  if (!factor_in_place(A.topLeftCorner(first, first))) return false;
  divide(A.topLeftCorner(first, first), A.bottomLeftCorner(rest, first));
  subtract_square(A.bottomLeftCorner(rest, first), A.bottomRightCorner(rest, rest));
  return factor_in_place(A.bottomRightCorner(rest, rest));
}

/// A lower bound of |A|_1 for a symmetric A, of which apply(x) makes x := A x: |A x|_1 grows from one vertex of the
/// unit ball to the next [Higham1988, algorithm 4.1].
template <class Apply>
double one_norm(Index n, const Apply& apply) {
  constexpr int most_vertices = 5;
  Vector x = Vector::Constant(n, 1 / static_cast<double>(n));
  double norm = 0;
  Index vertex = -1;
  for (int i = 0; i < most_vertices; ++i) {
    apply(x);
    const double size = x.lpNorm<1>();
    if (!(size > norm)) break;
    norm = size;
    x = x.unaryExpr([](double entry) { return std::copysign(1.0, entry); });
    apply(x);
    Index next = 0;
    x.cwiseAbs().maxCoeff(&next);
    if (next == vertex) break;
    vertex = next;
    x = Vector::Unit(n, vertex);
  }
  for (Index i = 0; i < n; ++i) {  // for matrices whose entries cancel at all those vertices
    const double size = 1 + static_cast<double>(i) / static_cast<double>(std::max<Index>(n - 1, 1));
    x[i] = i % 2 == 0 ? size : -size;
  }
  apply(x);
  return std::max(norm, 2 * x.lpNorm<1>() / (3 * static_cast<double>(n)));
}

}  // namespace

bool factor_cholesky(Matrix& A) { return factor_in_place(A); }

void solve_cholesky(const Matrix& L, Eigen::Ref<Matrix> x) {
  L.triangularView<Eigen::Lower>().solveInPlace(x);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
}

double reciprocal_condition(const Matrix& L) {
  const double norm = one_norm(L.rows(), [&](Vector& x) {
    x = L.transpose().triangularView<Eigen::Upper>() * x;
    x = L.triangularView<Eigen::Lower>() * x;
  });
  const double inverse_norm = one_norm(L.rows(), [&](Vector& x) { solve_cholesky(L, x); });
  return 1 / (norm * inverse_norm);
}

}  // namespace surefoot
