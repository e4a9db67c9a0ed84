#include "model/residuals/fewer_rows.hpp"

#include <Eigen/QR>
#include <algorithm>

#include "core/linear_algebra/cholesky.hpp"
#include "core/linear_algebra/products.hpp"

namespace surefoot {
namespace {

/// The triangle of a QR decomposition: exact to rounding, O(rows columns^2) at a tenth of the speed of products.
Matrix triangle_of(const Matrix& columns) {
  const Eigen::HouseholderQR<Matrix> qr(columns);
  return qr.matrixQR().topRows(columns.cols()).triangularView<Eigen::Upper>();
}

/// The same by Cholesky's decomposition of the inner products, for very many rows. Parts of a column below 1e-8 of its
/// length along the others are lost, which the curvature of a fit exceeds by far.
Matrix cholesky_triangle_of(const Matrix& columns) {
  const Index n = columns.cols();
  const Vector lengths = columns.colwise().norm().transpose().cwiseMax(1e-300);
  Matrix G = Matrix::Zero(n, n);
  constexpr Index rows_at_once = 4096;
  for (Index first = 0; first < columns.rows(); first += rows_at_once) {
    const auto block = columns.middleRows(first, std::min(rows_at_once, columns.rows() - first));
    const Matrix scaled = block * lengths.cwiseInverse().asDiagonal();
    accumulate_product(1, Matrix(scaled.transpose()), scaled, G);
  }
  for (double ridge = 1e-15; ridge < 1; ridge *= 10) {
    Matrix L = G;
    L.diagonal().array() += ridge;
    if (factor_cholesky(L)) return Matrix(L.triangularView<Eigen::Lower>()).transpose() * lengths.asDiagonal();
  }
  return triangle_of(columns);
}

}  // namespace

void rotate_into_fewer_rows(Matrix& Y, Vector& r) {
  const Index n = Y.cols() + 1;
  const Index m = Y.rows();
  if (m <= 2 * n) return;
  Matrix columns(m, n);
  columns << Y, r;
  constexpr double many = 5e7;  // a tenth of a second
  const bool is_huge = static_cast<double>(m) * static_cast<double>(n * n) > many;
  const Matrix triangle = is_huge ? cholesky_triangle_of(columns) : triangle_of(columns);
  Y = triangle.leftCols(n - 1);
  r = triangle.col(n - 1);
}

}  // namespace surefoot
