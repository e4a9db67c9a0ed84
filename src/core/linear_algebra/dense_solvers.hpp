#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "surefoot/types.hpp"

// Compiled once, in dense_solvers.cpp: each takes seconds.
extern template Eigen::LLT<surefoot::Matrix>& Eigen::LLT<surefoot::Matrix>::compute<surefoot::Matrix>(
    const Eigen::EigenBase<surefoot::Matrix>&);
extern template void Eigen::PartialPivLU<surefoot::Matrix>::compute();

namespace surefoot {

/// A^-1 B.
Matrix solution(const Matrix& A, const Matrix& B);

/// L^-1 B, with the lower part of L.
Matrix lower_solution(const Matrix& L, const Matrix& B);

}  // namespace surefoot
