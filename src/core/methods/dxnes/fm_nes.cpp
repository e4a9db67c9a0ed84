#include "core/methods/dxnes/fm_nes.hpp"

#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/geometric_mean.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/products.hpp"
#include "core/methods/cma/cumulation.hpp"
#include "core/methods/rate_measures.hpp"

namespace surefoot {

FmNes::FmNes(const StrategyContext& context)
    : Sampler(context.start, *context.popsize, Mirroring::pairs),
      constants_(normal_.dimension(), popsize()),
      movement_(normal_.dimension(), popsize(), constants_.c_sigma()),
      expansion_(normal_.dimension(), popsize()),
      start_(context.start.deviations / geometric_mean(context.start.deviations)),
      p_c_(Vector::Zero(normal_.dimension())),
      expm_(normal_.dimension()),
      root_(normal_.dimension()) {}

/// The order of the authors' program: path and phase, weights, mean, path of the rank-one update, step size, shape. The
/// step size does not shrink while the distribution moves.
void FmNes::learn(const Ranking& ranking, const Vector& /*values*/) {
  auto& [m, sigma, shape] = normal_;
  const auto& [z, y, x] = population_;
  const Index feasible = ranking.feasible();
  if (feasible < popsize() && forgot_ == 0) forget_shape();

  const Phase phase = movement_.weigh(z, ranking_, constants_.alpha(feasible));
  const bool is_moving = phase == Phase::moving;
  const Vector& w = movement_.w();
  eta_ = {1, constants_.eta_sigma(phase, feasible), constants_.eta_B(feasible)};

  const auto d = static_cast<double>(m.size());
  const double G_sigma = (z.colwise().squaredNorm() * w).value() / d;
  const Vector step = shape.B * (z * w);
  m += sigma * step;
  cumulate(constants_.c_c(), movement_.mu_eff(), step, p_c_);
  if (!is_moving || G_sigma >= 0) sigma *= elementary::exp(eta_.sigma / 2 * G_sigma);
  move_shape(w, G_sigma, is_moving, constants_.c_1(feasible));
}

/// A = B expm(eta_B G_B) B^T as a product of its root with itself; then the expansion and the rank-one update.
void FmNes::move_shape(const Vector& w, double G_sigma, bool is_moving, double c_1) {
  auto& [m, sigma, shape] = normal_;
  const Matrix C0 = product_transposed(shape.B, shape.B);
  Matrix G_B = Matrix::Zero(m.size(), m.size());
  multiply_weighted(population_.z, w, G_B);
  G_B.diagonal().array() -= G_sigma;
  G_B *= eta_.B / 2;
  Matrix B = product(shape.B, expm_(G_B));

  expansion_.remember(C0);
  expansion_.measure(product_transposed(B, B));
  expansion_.expand(B, sigma);
  Matrix A = product_transposed(B, B);
  if (is_moving) A += c_1 * (product_transposed(p_c_, p_c_) - C0);
  set_covariance(A);
}

/// B is the symmetric root of A/det(A)^(1/d). A shape that lost its rank to rounding does not change.
void FmNes::set_covariance(const Matrix& A) {
  root_.compute(A);
  const Vector& squares = root_.eigenvalues();
  if (!(squares.minCoeff() > 0)) return;
  const Vector lengths = squares.cwiseSqrt() / std::sqrt(geometric_mean(squares));
  normal_.shape.B = root_.eigenvectors() * lengths.asDiagonal() * root_.eigenvectors().transpose();
  normal_.shape.bound.restart(normal_.shape.B);
}

/// What was learned far from the constraint is wrong along it. The papers do not say what else is reset; mean, step
/// size, path and gamma stay here.
void FmNes::forget_shape() {
  forgot_ = 1;
  p_c_.setZero();
  normal_.shape.B = start_.asDiagonal();
  normal_.shape.bound.restart(normal_.shape.B);
}

void FmNes::scale_coordinates(const Vector& factors) {
  const double common = geometric_mean(factors);
  normal_.scale_coordinates(factors);
  p_c_.array() *= factors.array() / common;
}

void FmNes::report(Measures& measures) const {
  add_rates(eta_, measures);
  measures.add("expansion", expansion_.gamma());
}

void FmNes::visit_rest(StateVisitor& visitor) {
  visit_rates(visitor, eta_);
  movement_.visit(visitor);
  expansion_.visit(visitor);
  visitor.vector("p_c", p_c_);
  visitor.vector("start", start_);
  visitor.integer("forgot", forgot_);
}

}  // namespace surefoot
