#pragma once

/// \file
/// Products of parts of matrices, by the same kernels as those of products.hpp (in products.cpp).

#include "surefoot/types.hpp"

namespace surefoot {

/// C := C + A B^T.
void accumulate_outer(const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Matrix>& B, Eigen::Ref<Matrix> C);

/// C := C - A B^T.
void subtract_outer(const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Matrix>& B, Eigen::Ref<Matrix> C);

/// The lower part of C := C - A A^T. What is above the diagonal is not to be used afterwards.
void subtract_square(const Eigen::Ref<const Matrix>& A, Eigen::Ref<Matrix> C);

}  // namespace surefoot
