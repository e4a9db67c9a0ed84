#include "core/methods/dxnes/dx_nes_ic.hpp"

#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "core/methods/rate_measures.hpp"

namespace surefoot {

DxNesIc::DxNesIc(const StrategyContext& context)
    : Sampler(context.start, *context.popsize, Mirroring::pairs),
      constants_(normal_.dimension(), popsize()),
      movement_(normal_.dimension(), popsize(), constants_.c_sigma()),
      expansion_(normal_.dimension(), popsize()),
      update_(make_shape_update(context.route, normal_.dimension(), popsize())) {}

/// The update of xNES with the weights and rates of the phase, and an expansion while it moves. gamma is carried over
/// from generation to generation, as published; the cmaes library begins anew with 1 in each.
void DxNesIc::learn(const Ranking& ranking, const Vector& /*values*/) {
  auto& [m, sigma, shape] = normal_;
  const auto& [z, y, x] = population_;
  const Index feasible = ranking.feasible();
  const Phase phase = movement_.weigh(z, ranking_, constants_.alpha(feasible));
  const Vector& w = movement_.w();
  eta_ = {1, constants_.eta_sigma(phase, feasible), constants_.eta_B(phase, feasible)};

  const double G_sigma = update_->measure(z, w);
  update_->exponentiate(eta_.B);
  expansion_.remember(product_transposed(shape.B, shape.B));
  m.noalias() += sigma * (y * w);  // B G_delta = sum_i w_i y_i
  sigma *= elementary::exp(eta_.sigma / 2 * G_sigma);
  update_->move(y, shape);
  expansion_.measure(product_transposed(shape.B, shape.B));
  if (phase != Phase::moving) return;
  expansion_.expand(shape.B, sigma);
  shape.bound.restart(shape.B);
}

void DxNesIc::report(Measures& measures) const {
  add_rates(eta_, measures);
  measures.add("expansion", expansion_.gamma());
}

void DxNesIc::visit_rest(StateVisitor& visitor) {
  visit_rates(visitor, eta_);
  movement_.visit(visitor);
  expansion_.visit(visitor);
}

}  // namespace surefoot
