#include "core/linear_algebra/symmetric_eigen.hpp"

template Eigen::SelfAdjointEigenSolver<surefoot::Matrix>&
Eigen::SelfAdjointEigenSolver<surefoot::Matrix>::compute<surefoot::Matrix>(const Eigen::EigenBase<surefoot::Matrix>&,
                                                                           int);
