#include "core/linear_algebra/singular_values.hpp"

#include <cmath>

#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/symmetric_eigen.hpp"

namespace surefoot {

Vector singular_values(const Matrix& A) {
  if (!A.allFinite()) return Vector::Constant(A.rows(), std::nan(""));
  const Matrix gram = transposed_product(A, A);
  return Eigen::SelfAdjointEigenSolver<Matrix>(gram, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .cwiseMax(0)
      .cwiseSqrt()
      .reverse();
}

}  // namespace surefoot
