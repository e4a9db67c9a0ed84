#pragma once

#include <Eigen/Eigenvalues>

#include "surefoot/types.hpp"

// Compiled once, in symmetric_eigen.cpp: it takes ten seconds.
extern template class Eigen::SelfAdjointEigenSolver<surefoot::Matrix>;
