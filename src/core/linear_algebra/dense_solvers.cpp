#include "core/linear_algebra/dense_solvers.hpp"

template Eigen::LLT<surefoot::Matrix>& Eigen::LLT<surefoot::Matrix>::compute<surefoot::Matrix>(
    const Eigen::EigenBase<surefoot::Matrix>&);
template void Eigen::PartialPivLU<surefoot::Matrix>::compute();

namespace surefoot {

Matrix solution(const Matrix& A, const Matrix& B) { return Eigen::PartialPivLU<Matrix>(A).solve(B); }

Matrix lower_solution(const Matrix& L, const Matrix& B) { return L.triangularView<Eigen::Lower>().solve(B); }

}  // namespace surefoot
