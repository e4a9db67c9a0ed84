#include "core/methods/igo/geodesic_step.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/products.hpp"

namespace surefoot {

GeodesicStep::GeodesicStep(Index dimension)
    : solver_(dimension),
      inverse_(dimension),
      a_(dimension),
      cosh_(dimension),
      sinh_(dimension),
      W_(dimension, dimension),
      H_(dimension, dimension),
      K_(dimension, dimension),
      L_(dimension, dimension),
      R_(dimension, dimension) {}

/// With k = sqrt(dt/dt_m), a = g dt_m k/dt and W = G - I, the matrix W^2 + 2 a a^T = V diag(h^2) V^T gives
/// K = V diag(cosh(dt h/2)) V^T, L = V diag(sinh(dt h/2)/h) V^T and R = (K - W L)^{-T}; the geodesic is then at
/// the mean 2 R L a/k and the covariance R R^T. A shorter mean makes one velocity of the two rates.
void GeodesicStep::operator()(double dt_m, double dt, Vector& mean, Matrix& covariance) {
  const double k = std::sqrt(dt / dt_m);
  a_ = (dt_m * k / dt) * mean;
  W_ = covariance;
  W_.diagonal().array() -= 1;
  multiply_symmetric(W_, W_, H_);
  H_.noalias() += 2 * a_ * a_.transpose();

  solver_.compute(H_);
  for (Index j = 0; j < a_.size(); ++j) {
    const double h = std::sqrt(std::max(0.0, solver_.eigenvalues()[j]));
    const double growth = elementary::expm1(dt * h / 2);
    cosh_[j] = (growth + 1 + 1 / (growth + 1)) / 2;
    sinh_[j] = h > 0 ? (growth + growth / (growth + 1)) / (2 * h) : dt / 2;
  }
  multiply_weighted(solver_.eigenvectors(), cosh_, K_);
  multiply_weighted(solver_.eigenvectors(), sinh_, L_);
  multiply(W_, L_, H_);
  K_ -= H_;
  inverse_.transposed(K_, R_);
  multiply(L_, a_, cosh_);
  multiply(R_, cosh_, mean);
  mean *= 2 / k;
  multiply_symmetric(R_, R_, covariance);
}

}  // namespace surefoot
