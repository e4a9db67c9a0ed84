#include "core/methods/dxnes/expansion.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/dense_products.hpp"

namespace surefoot {

Expansion::Expansion(Index dimension, Index popsize)
    : c_gamma_(1 / (3 * std::max(1.0, static_cast<double>(dimension) - 1))),
      d_gamma_(std::min(1.0, static_cast<double>(dimension) / static_cast<double>(popsize))),
      old_(dimension) {}

void Expansion::remember(const Matrix& C0) { old_.compute(C0); }

/// tau_i = e_i^T C1 e_i/e_i^T C0 e_i - 1, the growth along axis i.
void Expansion::measure(const Matrix& C1) {
  const Matrix& axes = old_.eigenvectors();
  const Matrix rows = transposed_product(axes, C1);  // e_i^T C1
  Vector tau(axes.cols());
  for (Index i = 0; i < tau.size(); ++i) tau[i] = rows.row(i).dot(axes.col(i)) / old_.eigenvalues()[i] - 1;
  grown_.resize(axes.rows(), (tau.array() > 0).count());
  for (Index i = 0, k = 0; i < tau.size(); ++i) {
    if (tau[i] > 0) grown_.col(k++) = axes.col(i);
  }
  gamma_ = std::max((1 - c_gamma_) * gamma_ + c_gamma_ * std::sqrt(1 + d_gamma_ * tau.maxCoeff()), 1.0);
}

void Expansion::expand(Matrix& B, double& sigma) const {
  const double q = elementary::pow(gamma_, static_cast<double>(grown_.cols()) / static_cast<double>(B.rows()));
  B += (gamma_ - 1) * product(grown_, transposed_product(grown_, B));
  B /= q;
  sigma *= q;
}

}  // namespace surefoot
