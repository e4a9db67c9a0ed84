#include "core/polar_factor.hpp"

#include <cmath>

namespace surefoot {
namespace {

constexpr int max_iterations = 40;  // about 9 are needed at a condition of 1e16

double one_norm(const Matrix& A) { return A.cwiseAbs().colwise().sum().maxCoeff(); }
double inf_norm(const Matrix& A) { return A.cwiseAbs().rowwise().sum().maxCoeff(); }

}  // namespace

PolarFactor::PolarFactor(Index d) : lu_(d), identity_(Matrix::Identity(d, d)), X_(d, d), inverse_(d, d), next_(d, d) {}

const Matrix& PolarFactor::operator()(const Matrix& B) {
  X_ = B;
  for (int i = 0; i < max_iterations; ++i) {
    lu_.compute(X_);
    inverse_ = lu_.solve(identity_);
    const double scale = std::sqrt(std::sqrt(one_norm(inverse_) * inf_norm(inverse_) / (one_norm(X_) * inf_norm(X_))));
    // Near the orthogonal matrices scale -> 1 and the iteration converges quadratically, so a change of 1e-8 leaves
    // an error of about 1e-16.
    next_ = 0.5 * (scale * X_ + inverse_.transpose() / scale);
    const double change = (next_ - X_).cwiseAbs().maxCoeff();
    X_.swap(next_);
    if (!(change > 1e-9)) break;
  }
  return X_;
}

}  // namespace surefoot
