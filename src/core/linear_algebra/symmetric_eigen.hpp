#pragma once

#include <Eigen/Eigenvalues>

#include "surefoot/types.hpp"

// Compiled once, in symmetric_eigen.cpp: it takes seconds. Only matrices are decomposed, no expressions, which would be
// compiled anew.
extern template Eigen::SelfAdjointEigenSolver<surefoot::Matrix>&
Eigen::SelfAdjointEigenSolver<surefoot::Matrix>::compute<surefoot::Matrix>(const Eigen::EigenBase<surefoot::Matrix>&,
                                                                           int);
