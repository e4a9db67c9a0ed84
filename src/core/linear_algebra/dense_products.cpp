#include "core/linear_algebra/dense_products.hpp"

namespace surefoot {

Matrix product(MatrixArgument A, MatrixArgument B) { return A * B; }

Matrix transposed_product(MatrixArgument A, MatrixArgument B) { return A.transpose() * B; }

Matrix product_transposed(MatrixArgument A, MatrixArgument B) { return A * B.transpose(); }

Matrix scaled_rows(const Vector& factors, const Matrix& A) { return factors.asDiagonal() * A; }

Matrix scaled_both(const Vector& factors, const Matrix& A) { return factors.asDiagonal() * A * factors.asDiagonal(); }

}  // namespace surefoot
