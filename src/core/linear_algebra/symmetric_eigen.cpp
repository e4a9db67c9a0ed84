#include "core/linear_algebra/symmetric_eigen.hpp"

template class Eigen::SelfAdjointEigenSolver<surefoot::Matrix>;
template Eigen::SelfAdjointEigenSolver<surefoot::Matrix>&
Eigen::SelfAdjointEigenSolver<surefoot::Matrix>::compute<surefoot::Matrix>(const Eigen::EigenBase<surefoot::Matrix>&,
                                                                           int);
