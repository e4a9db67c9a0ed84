#include "core/methods/dxnes/implicit_rates.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"

namespace surefoot {

/// Newton's method from the right of the root, where the function is convex: it comes down to the root step by step and
/// never overflows.
double distance_exponent(Index dimension) {
  const double target = 10 + static_cast<double>(dimension);
  double a = 8;  // the root at d = 1e12
  for (int i = 0; i < 200; ++i) {
    const double growth = elementary::exp(a * a / 2) / 0.24;
    const double step = ((1 + a * a) * growth - target) / (a * (3 + a * a) * growth);
    a -= step;
    if (std::abs(step) < 1e-15) break;
  }
  return a;
}

ImplicitRates::ImplicitRates(Index dimension, Index popsize)
    : d_(static_cast<double>(dimension)),
      lambda_(static_cast<double>(popsize)),
      mu_eff_(mu_eff_of(popsize)),
      alpha_(distance_exponent(dimension) * std::min(1.0, std::sqrt(lambda_ / d_))) {}

double ImplicitRates::alpha(Index feasible) const {
  return alpha_ * std::sqrt(static_cast<double>(feasible) / lambda_);
}

double ImplicitRates::eta_sigma(Phase phase, Index feasible) const {
  const auto n = static_cast<double>(feasible);
  switch (phase) {
    case Phase::moving: return 1;
    case Phase::stagnating: return elementary::tanh((0.024 * n + 0.7 * d_ + 20) / (d_ + 12));
    default: return 2 * elementary::tanh((0.025 * n + 0.75 * d_ + 10) / (d_ + 4));
  }
}

double ImplicitRates::eta_B(Index feasible) const {
  return 120 * d_ * elementary::tanh(0.02 * static_cast<double>(feasible)) / (47 * d_ * d_ + 6400);
}

double ImplicitRates::eta_B(Phase phase, Index feasible) const {
  const double multiple = phase == Phase::moving ? 1.5 : phase == Phase::stagnating ? 1.4 : 0.1;
  return multiple * eta_B(feasible);
}

double ImplicitRates::c_1(Index feasible) const {
  return 2 / ((d_ + 1.3) * (d_ + 1.3) + mu_eff_) * static_cast<double>(feasible) / lambda_;
}

}  // namespace surefoot
