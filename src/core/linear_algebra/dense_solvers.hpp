#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "surefoot/types.hpp"

// Compiled once, in dense_solvers.cpp: each takes seconds.
extern template class Eigen::LLT<surefoot::Matrix>;
extern template Eigen::LLT<surefoot::Matrix>& Eigen::LLT<surefoot::Matrix>::compute<surefoot::Matrix>(
    const Eigen::EigenBase<surefoot::Matrix>&);
extern template class Eigen::PartialPivLU<surefoot::Matrix>;
