#include "core/xnes.hpp"

#include <cmath>
#include <utility>

namespace surefoot {

Xnes::Xnes(StrategyContext context)
    : distribution_(std::move(context.start)),
      weights_(rank_weights(context.popsize.value_or(default_popsize(distribution_.dimension())))),
      policy_(
          context.learning_rate.make({distribution_.dimension(), weights_.w.size(), weights_.mu_w, context.observed})),
      rates_(policy_->first()),
      update_(make_shape_update(context.route, distribution_.dimension(), weights_.w.size())),
      ranking_(weights_.w.size()),
      population_(distribution_.dimension(), weights_.w.size()),
      candidate_weights_(weights_.w.size()),
      delta_(distribution_.dimension()),
      B_bound_(distribution_.B) {}

const Matrix& Xnes::ask(std::uint64_t generation, NormalSource& normals) {
  population_.sample(distribution_, generation, normals);
  return population_.x;
}

void Xnes::tell(const Matrix& candidates, const Vector& values) {
  population_.replace(candidates, distribution_);
  if (!ranking_.sort(values)) return;
  // Weighting each candidate by its rank's weight needs no sorted copy of the population.
  ranking_.assign(weights_.w, candidate_weights_);
  move();
}

/// Steps 2 and 3 of xNES: the natural gradient, and a step along it. All right-hand sides use the old m, sigma and B.
void Xnes::move() {
  auto& [m, sigma, B] = distribution_;
  const auto& [z, y, x] = population_;
  const Vector& w = candidate_weights_;

  delta_.noalias() = z * w;
  const NaturalGradient G{z, w, delta_, update_->measure(z, w)};
  update_->exponentiate(rates_.B);
  const LearningRates next_rates = policy_->next({rates_, G, *update_, B});

  m.noalias() += (rates_.mean * sigma) * (y * w);  // B G_delta = sum_i w_i y_i
  sigma *= std::exp(rates_.sigma / 2 * G.sigma);
  const double growth_bound = update_->growth_bound();  // apply may use up what it is made of
  update_->apply(y, B);
  B_bound_.follow(growth_bound, B);
  rates_ = next_rates;
}

void Xnes::correct(const Vector& shift, const Vector& factors) {
  distribution_.mean += shift;
  distribution_.scale_coordinates(factors);
  B_bound_.restart(distribution_.B);
}

bool Xnes::finite() const {
  return B_bound_.is_finite() && std::isfinite(distribution_.sigma) && distribution_.mean.allFinite();
}

void Xnes::visit(StateVisitor& visitor) {
  visitor.vector("m", distribution_.mean);
  visitor.scalar("sigma", distribution_.sigma);
  visitor.matrix("B", distribution_.B);
  visitor.scalar("eta_m", rates_.mean);
  visitor.scalar("eta_sigma", rates_.sigma);
  visitor.scalar("eta_B", rates_.B);
  policy_->visit(visitor);
  B_bound_.restart(distribution_.B);  // it may have been restored
}

}  // namespace surefoot
