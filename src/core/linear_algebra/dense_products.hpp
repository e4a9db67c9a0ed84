#pragma once

/// \file
/// Products of matrices by Eigen, compiled once: an expression with such a product takes the compiler up to a second
/// wherever it is used. They allocate their result and are for what is seldom computed or small; products.hpp has those
/// of every generation.

#include "surefoot/types.hpp"

namespace surefoot {

using MatrixArgument = const Eigen::Ref<const Matrix>&;

/// A B.
Matrix product(MatrixArgument A, MatrixArgument B);

/// A^T B.
Matrix transposed_product(MatrixArgument A, MatrixArgument B);

/// A B^T.
Matrix product_transposed(MatrixArgument A, MatrixArgument B);

/// diag(factors) A.
Matrix scaled_rows(const Vector& factors, const Matrix& A);

/// diag(factors) A diag(factors).
Matrix scaled_both(const Vector& factors, const Matrix& A);

}  // namespace surefoot
