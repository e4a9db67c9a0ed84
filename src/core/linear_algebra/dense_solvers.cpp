#include "core/linear_algebra/dense_solvers.hpp"

template class Eigen::LLT<surefoot::Matrix>;
template Eigen::LLT<surefoot::Matrix>& Eigen::LLT<surefoot::Matrix>::compute<surefoot::Matrix>(
    const Eigen::EigenBase<surefoot::Matrix>&);
template class Eigen::PartialPivLU<surefoot::Matrix>;
