#pragma once

#include <Eigen/Eigenvalues>

#include "surefoot/types.hpp"

// Compiled once, in symmetric_eigen.cpp: it takes ten seconds. A class template's instantiation leaves its member
// templates out, so `compute` is named.
extern template class Eigen::SelfAdjointEigenSolver<surefoot::Matrix>;
extern template Eigen::SelfAdjointEigenSolver<surefoot::Matrix>&
Eigen::SelfAdjointEigenSolver<surefoot::Matrix>::compute<surefoot::Matrix>(const Eigen::EigenBase<surefoot::Matrix>&,
                                                                           int);
