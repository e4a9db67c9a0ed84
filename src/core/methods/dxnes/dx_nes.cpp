#include "core/methods/dxnes/dx_nes.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/methods/rate_measures.hpp"

namespace surefoot {

/// The factor min(1, popsize/d) of alpha is that of a program of the authors' group; others leave it out.
DxNesConstants dx_nes_constants(Index dimension, Index popsize) {
  const auto d = static_cast<double>(dimension);
  const auto lambda = static_cast<double>(popsize);
  const double mu_eff = mu_eff_of(popsize);
  const double share = lambda / (lambda + 2 * d);
  const double damping = lambda + 2 * d * d + 100;
  return {.c_sigma = (mu_eff + 2) / (std::sqrt(d) * (d + mu_eff + 5)),
          .alpha = (0.9 + 0.15 * elementary::log(d)) * std::min(1.0, lambda / d),
          .eta_sigma_moving = 1,
          .eta_sigma_stagnating = (1 + share) / 2,
          .eta_sigma_converging = 1 + share,
          .eta_B_moving = (lambda + 2 * d) / damping * std::min(1.0, std::sqrt(lambda / d)),
          .eta_B = lambda / damping};
}

DxNes::DxNes(const StrategyContext& context)
    : Sampler(context.start, *context.popsize, Mirroring::halves),
      constants_(dx_nes_constants(normal_.dimension(), popsize())),
      movement_(normal_.dimension(), popsize(), constants_.c_sigma),
      update_(make_shape_update(context.route, normal_.dimension(), popsize())) {}

/// The update of xNES with the weights and rates of the phase. All right-hand sides use the old m, sigma and B.
void DxNes::learn(const Ranking& /*ranking*/, const Vector& /*values*/) {
  auto& [m, sigma, shape] = normal_;
  const auto& [z, y, x] = population_;
  movement_.weigh(z, ranking_, constants_.alpha);
  const Vector& w = movement_.w();
  const LearningRates eta = rates();

  const double G_sigma = update_->measure(z, w);
  update_->exponentiate(eta.B);
  m.noalias() += sigma * (y * w);  // B G_delta = sum_i w_i y_i
  sigma *= elementary::exp(eta.sigma / 2 * G_sigma);
  update_->move(y, shape);
}

LearningRates DxNes::rates() const {
  const DxNesConstants& c = constants_;
  switch (movement_.phase()) {
    case Phase::moving: return {1, c.eta_sigma_moving, c.eta_B_moving};
    case Phase::stagnating: return {1, c.eta_sigma_stagnating, c.eta_B};
    default: return {1, c.eta_sigma_converging, c.eta_B};
  }
}

void DxNes::report(Measures& measures) const { add_rates(rates(), measures); }

}  // namespace surefoot
