#include "core/xnes.hpp"

#include <cmath>

#include "core/products.hpp"

namespace surefoot {

Xnes::Xnes(const StrategyContext& context)
    : distribution_(context.start),
      weights_(rank_weights(context.popsize.value_or(default_popsize(distribution_.dimension())))),
      policy_(
          context.learning_rate.make({distribution_.dimension(), weights_.w.size(), weights_.mu_w, context.observed})),
      rates_(policy_->first()),
      ranking_(weights_.w.size()),
      z_(distribution_.dimension(), weights_.w.size()),
      x_(z_.rows(), z_.cols()),
      candidate_weights_(z_.cols()),
      gradient_{Vector(z_.rows()), 0, Matrix(z_.rows(), z_.rows())},
      shape_step_(z_.rows(), z_.rows()),
      scaled_B_(z_.rows(), z_.rows()),
      next_B_(z_.rows(), z_.rows()),
      expm_(z_.rows()) {}

const Matrix& Xnes::ask(std::uint64_t generation, NormalSource& normals) {
  normals.fill(generation, z_);
  scaled_B_ = distribution_.sigma * distribution_.B;
  multiply_add(distribution_.mean, scaled_B_, z_, x_);
  return x_;
}

void Xnes::tell(const Matrix& candidates, const Vector& values) {
  recover_normals(candidates);
  if (!ranking_.sort(values)) return;
  ranking_.assign(weights_.w, candidate_weights_);
  estimate_gradient();
  move();
}

/// z = (sigma B)^{-1}(x - m) for the candidates that the caller changed.
void Xnes::recover_normals(const Matrix& candidates) {
  if (&candidates == &x_ || candidates == x_) return;
  const Eigen::PartialPivLU<Matrix> lu(distribution_.B);
  for (Index i = 0; i < popsize(); ++i) {
    if (candidates.col(i) == x_.col(i)) continue;
    x_.col(i) = candidates.col(i);
    z_.col(i) = lu.solve(candidates.col(i) - distribution_.mean) / distribution_.sigma;
  }
}

/// Step 2 of xNES. Weighting each candidate by its rank's weight needs no sorted copy of the population. The term
/// -I of G_M = sum_i w_i (z_i z_i^T - I) vanishes because the weights sum to zero.
void Xnes::estimate_gradient() {
  NaturalGradient& G = gradient_;
  G.delta.noalias() = z_ * candidate_weights_;
  multiply_weighted(z_, candidate_weights_, G.B);  // G_M
  G.sigma = G.B.trace() / static_cast<double>(G.B.rows());
  G.B.diagonal().array() -= G.sigma;
}

/// Step 3 of xNES; all right-hand sides use the old m, sigma and B.
void Xnes::move() {
  const NaturalGradient& G = gradient_;
  auto& [m, sigma, B] = distribution_;

  shape_step_ = rates_.B / 2 * G.B;
  const Matrix& growth = expm_(shape_step_);
  multiply(B, growth, next_B_);

  m.noalias() += rates_.mean * sigma * (B * G.delta);
  sigma *= std::exp(rates_.sigma / 2 * G.sigma);
  rates_ = policy_->next({rates_, G, growth, B});
  B.swap(next_B_);
}

void Xnes::visit(StateVisitor& visitor) {
  visitor.vector("m", distribution_.mean);
  visitor.scalar("sigma", distribution_.sigma);
  visitor.matrix("B", distribution_.B);
  visitor.scalar("eta_m", rates_.mean);
  visitor.scalar("eta_sigma", rates_.sigma);
  visitor.scalar("eta_B", rates_.B);
  policy_->visit(visitor);
}

}  // namespace surefoot
