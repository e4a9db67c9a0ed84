#include "model/residuals/fit_step.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/cholesky.hpp"
#include "core/linear_algebra/dense_products.hpp"

namespace surefoot {
namespace {

constexpr int most_newton_steps = 60;
constexpr int most_trials = 12;

class PhiMinimiser {
 public:
  PhiMinimiser(const KernelFit& fit, const Vector& lower, const Vector& upper, double cap)
      : fit_(fit), lower_(lower), upper_(upper), cap_(cap), w_(Vector::Zero(lower.size())), value_(fit.at(w_)) {}

  FitStep find() {
    for (int k = 0; k < most_newton_steps; ++k) {
      const double before = phi(value_);
      if (!improves()) break;
      if (before - phi(value_) < 1e-10 * phi(value_)) break;
    }
    return {w_, value_.mean.squaredNorm()};
  }

 private:
  [[nodiscard]] double phi(const KernelFit::Value& value) const { return value.phi(fit_.scale().S2); }

  /// One Newton step, damped until it is better.
  bool improves() {
    const Matrix J = fit_.mean_slope(w_);
    const double S2 = fit_.scale().S2;
    const Vector gradient = 2 * (J.transpose() * value_.mean) + S2 / 2 * fit_.variance_slope(w_);
    const double T = w_.squaredNorm();
    Matrix H = 2 * transposed_product(J, J) + S2 * fit_.gradient_covariance();
    H.diagonal().array() += S2 * (elementary::exp(std::min(T, 50.0)) - 1 + T / 2);
    find_free(gradient);
    if (free_.empty()) return false;
    const Matrix H_free = H(free_, free_);
    const Vector g_free = gradient(free_);
    const double top = H_free.diagonal().maxCoeff();
    if (!(top > 0) || !std::isfinite(top)) return false;
    for (int trial = 0; trial < most_trials; ++trial) {
      if (takes_step(H_free, g_free, top)) {
        damping_ = std::max(damping_ / 10, 1e-9);
        return true;
      }
      damping_ *= 10;
    }
    return false;
  }

  /// A coordinate at a bound stays there if phi falls beyond it.
  void find_free(const Vector& gradient) {
    free_.clear();
    for (Index i = 0; i < w_.size(); ++i) {
      const bool at_lower = w_[i] <= lower_[i] + 1e-14 && gradient[i] > 0;
      const bool at_upper = w_[i] >= upper_[i] - 1e-14 && gradient[i] < 0;
      if (!at_lower && !at_upper) free_.push_back(i);
    }
  }

  bool takes_step(Matrix H, const Vector& gradient, double top) {
    H.diagonal().array() += (1e-3 * damping_ + 1e-15) * top;
    if (!factor_cholesky(H)) return false;
    Matrix step = gradient;
    solve_cholesky(H, step);
    Vector w = w_;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const Index i = free_[k];
      w[i] = std::clamp(w_[i] - step(static_cast<Index>(k), 0), lower_[i], upper_[i]);
    }
    const double length = w.norm();
    if (length > cap_) w *= cap_ / length;
    KernelFit::Value value = fit_.at(w);
    if (!(phi(value) < phi(value_))) return false;
    w_ = std::move(w);
    value_ = std::move(value);
    return true;
  }

  const KernelFit& fit_;
  const Vector& lower_;
  const Vector& upper_;
  double cap_;
  Vector w_;
  KernelFit::Value value_;
  std::vector<Index> free_;
  double damping_ = 1e-3;
};

}  // namespace

FitStep least_phi(const KernelFit& fit, const Vector& lower, const Vector& upper, double cap) {
  return PhiMinimiser(fit, lower, upper, cap).find();
}

}  // namespace surefoot
