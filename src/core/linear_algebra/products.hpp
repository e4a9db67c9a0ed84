#pragma once

/// \file
/// Products of matrices on the widest packs of the processor, without allocation.
///
/// A library for every processor may be compiled for the oldest one only. Eigen's products then take twice the time of
/// these at any size, and four times at ten rows, for which they are not made.
///
/// Where there is an executor, several threads may share the rows of a large product; its bits are the same.

#include "surefoot/executor.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// C = A B.
void multiply(const Matrix& A, const Matrix& B, Matrix& C, Executor* executor = nullptr);

/// c = A b, with as many columns of A as b has numbers.
void multiply(const Matrix& A, const Vector& b, Vector& c);

/// C = A B^T where that is known to be symmetric: half the work, unless there is so little that mirroring costs more.
void multiply_symmetric(const Matrix& A, const Matrix& B, Matrix& C);

/// C = D + A B.
void multiply_add(const Matrix& D, const Matrix& A, const Matrix& B, Matrix& C);

/// C = factor A diag(w), with as many columns of A as w has numbers.
void scale_columns(double factor, const Matrix& A, const Vector& w, Matrix& C);

/// C = A diag(w) A^T.
void multiply_weighted(const Matrix& A, const Vector& w, Matrix& C);

/// C = D + A B^T where all are symmetric.
void multiply_add_symmetric(const Matrix& D, const Matrix& A, const Matrix& B, Matrix& C);

/// C := factor C + A B.
void accumulate_product(double factor, const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Matrix>& B,
                        Eigen::Ref<Matrix> C, Executor* executor = nullptr);

/// C := factor C + A diag(w) A^T, where C is symmetric.
void accumulate_weighted(double factor, const Matrix& A, const Vector& w, Matrix& C);

/// Returns <C, A B^T>, and then C := factor C + A B^T, where all are symmetric and only the lower part of C is kept: a
/// third of the work of B^T C A and the sum. `workspace` has as many numbers as C has rows.
double accumulate_lower(double factor, const Matrix& A, const Matrix& B, Matrix& C, Vector& workspace,
                        Executor* executor = nullptr);

/// Makes the whole of a symmetric matrix of which the lower part was kept.
void mirror_lower(Matrix& C);

/// C := factor C + A B, where the result is known to be symmetric.
void accumulate_symmetric(double factor, const Matrix& A, const Matrix& B, Matrix& C);

}  // namespace surefoot
