#include "core/xnes.hpp"

#include <Eigen/LU>
#include <cmath>
#include <utility>

#include "core/products.hpp"

namespace surefoot {

Xnes::Xnes(StrategyContext context)
    : distribution_(std::move(context.start)),
      weights_(rank_weights(context.popsize.value_or(default_popsize(distribution_.dimension())))),
      policy_(
          context.learning_rate.make({distribution_.dimension(), weights_.w.size(), weights_.mu_w, context.observed})),
      rates_(policy_->first()),
      update_(make_shape_update(context.route, distribution_.dimension(), weights_.w.size())),
      ranking_(weights_.w.size()),
      z_(distribution_.dimension(), weights_.w.size()),
      y_(z_.rows(), z_.cols()),
      x_(z_.rows(), z_.cols()),
      candidate_weights_(z_.cols()),
      delta_(z_.rows()),
      B_bound_(distribution_.B.norm()) {}

/// x_i = m + sigma B z_i.
const Matrix& Xnes::ask(std::uint64_t generation, NormalSource& normals) {
  const auto& [m, sigma, B] = distribution_;
  normals.fill(generation, z_);
  multiply(B, z_, y_);
  for (Index i = 0; i < popsize(); ++i) x_.col(i) = m + sigma * y_.col(i);
  return x_;
}

void Xnes::tell(const Matrix& candidates, const Vector& values) {
  recover_normals(candidates);
  if (!ranking_.sort(values)) return;
  // Weighting each candidate by its rank's weight needs no sorted copy of the population.
  ranking_.assign(weights_.w, candidate_weights_);
  move();
}

/// y = (x - m)/sigma and z = B^{-1} y for the candidates that the caller changed.
void Xnes::recover_normals(const Matrix& candidates) {
  if (&candidates == &x_ || candidates == x_) return;
  const Eigen::PartialPivLU<Matrix> lu(distribution_.B);
  for (Index i = 0; i < popsize(); ++i) {
    if (candidates.col(i) == x_.col(i)) continue;
    x_.col(i) = candidates.col(i);
    y_.col(i) = (candidates.col(i) - distribution_.mean) / distribution_.sigma;
    z_.col(i) = lu.solve(y_.col(i));
  }
}

/// Steps 2 and 3 of xNES: the natural gradient, and a step along it. All right-hand sides use the old m, sigma and B.
void Xnes::move() {
  auto& [m, sigma, B] = distribution_;
  const Vector& w = candidate_weights_;

  delta_.noalias() = z_ * w;
  const NaturalGradient G{z_, w, delta_, update_->measure(z_, w)};
  update_->exponentiate(rates_.B);
  const LearningRates next_rates = policy_->next({rates_, G, *update_, B});

  m.noalias() += (rates_.mean * sigma) * (y_ * w);  // B G_delta = sum_i w_i y_i
  sigma *= std::exp(rates_.sigma / 2 * G.sigma);
  B_bound_ *= update_->growth_bound();
  update_->apply(y_, B);
  if (!(B_bound_ < 1e300)) B_bound_ = B.norm();
  rates_ = next_rates;
}

/// B is finite as long as a bound on its norm is: reading all of it would cost a tenth of a generation.
bool Xnes::finite() const {
  return std::isfinite(B_bound_) && std::isfinite(distribution_.sigma) && distribution_.mean.allFinite();
}

void Xnes::visit(StateVisitor& visitor) {
  visitor.vector("m", distribution_.mean);
  visitor.scalar("sigma", distribution_.sigma);
  visitor.matrix("B", distribution_.B);
  visitor.scalar("eta_m", rates_.mean);
  visitor.scalar("eta_sigma", rates_.sigma);
  visitor.scalar("eta_B", rates_.B);
  policy_->visit(visitor);
  B_bound_ = distribution_.B.norm();  // of a B that may have been restored
}

}  // namespace surefoot
