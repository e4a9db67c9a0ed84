#include "core/methods/igo/igo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/geometric_mean.hpp"
#include "core/invalid_option.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/products.hpp"
#include "core/methods/cma/cma_constants.hpp"
#include "core/methods/rate_measures.hpp"
#include "core/ranking/rank_weights.hpp"

namespace surefoot {
namespace {

/// CMA-ES' c_mu with alpha_cov = 2, for other weights [HansenKern2004]. The publications on IGO leave dt open.
double rank_mu_rate(Index dimension, const Vector& weights) {
  const auto d = static_cast<double>(dimension);
  const double mu_eff = 1 / weights.squaredNorm();
  const double c_1 = 2 / ((d + 1.3) * (d + 1.3) + mu_eff);
  return std::min(1 - c_1, 2 * (mu_eff - 2 + 1 / mu_eff) / ((d + 2) * (d + 2) + mu_eff));
}

double checked_rate(const IgoConstants& constants, Index dimension, const Vector& weights) {
  const double dt = constants.dt.value_or(rank_mu_rate(dimension, weights));
  if (!(dt > 0 && dt < 1)) reject("method igo: dt", dt, "it must be between 0 and 1");
  return dt;
}

bool moves_mean_whole(IgoForm form) { return form == IgoForm::rank_mu || form == IgoForm::gigo; }

}  // namespace

Slots slots_of(IgoConstants& c) { return {{"form", {&c.form}}, {"dt", {&c.dt}}}; }

Igo::Igo(const StrategyContext& context, const IgoConstants& constants)
    : Sampler(context.start, *context.popsize, Mirroring::none, context.executor),
      form_(constants.form),
      weights_(positive_rank_weights(popsize())),
      dt_m_(1),
      dt_(checked_rate(constants, normal_.dimension(), weights_)),
      solver_(normal_.dimension()),
      w_(popsize()),
      e_(normal_.dimension()),
      step_(normal_.dimension()),
      T_(normal_.dimension(), normal_.dimension()),
      BT_(normal_.dimension(), normal_.dimension()),
      C_(product_transposed(normal_.shape.B, normal_.shape.B)) {
  if (!moves_mean_whole(form_)) dt_m_ = dt_;
  if (form_ == IgoForm::gigo) geodesic_.emplace(normal_.dimension());
  decompose();
}

void Igo::learn(const Ranking& ranking, const Vector& /*values*/) {
  auto& [m, sigma, shape] = normal_;
  ranking.assign(weights_, w_);
  multiply(population_.z, w_, e_);
  multiply_weighted(population_.z, w_, T_);
  move();

  multiply(shape.B, e_, step_);
  m += sigma * step_;
  multiply(shape.B, T_, BT_);
  multiply_symmetric(BT_, shape.B, C_);
  decompose();
}

/// From g and G to e and T. In the frame of the distribution the old covariance is I. The last term of `ml` makes the
/// spread one about the mean that was reached.
void Igo::move() {
  if (form_ == IgoForm::gigo) return (*geodesic_)(dt_m_, dt_, e_, T_);
  T_ *= dt_;
  T_.diagonal().array() += 1 - dt_;
  if (form_ == IgoForm::ml) T_.noalias() -= (dt_ * dt_) * e_ * e_.transpose();
  e_ *= dt_m_;
}

/// B := C^{1/2}, of which the decomposition reads the lower part, and what the axes have in common goes to sigma. C is
/// in units of the old sigma^2. A scaled root is D R^{1/2} of C = D R D, as in CMA-ES (core/methods/cma/cma_step.hpp).
/// NaN, which ends the run, where C is not positive definite.
void Igo::decompose() {
  auto& [m, sigma, shape] = normal_;
  const bool has_root = std::isfinite(C_.trace()) && C_.diagonal().minCoeff() > 0;
  Vector scale = Vector::Ones(m.size());
  if (has_root && has_scaled_root_) {
    scale = C_.diagonal().cwiseSqrt();
    C_ = scaled_both(scale.cwiseInverse(), C_);
  }
  if (has_root) solver_.compute(C_);
  if (!has_root || solver_.info() != Eigen::Success || !(solver_.eigenvalues()[0] > 0)) {
    shape.B.setConstant(std::numeric_limits<double>::quiet_NaN());
    shape.bound.restart(shape.B);
    return;
  }
  const Vector lengths = solver_.eigenvalues().cwiseSqrt();
  const double common = geometric_mean(lengths) * geometric_mean(scale);
  multiply_weighted(solver_.eigenvectors(), lengths / common, shape.B);
  if (has_scaled_root_) shape.B = scaled_rows(scale, shape.B);
  shape.bound.restart(shape.B);
  sigma *= common;
}

void Igo::scale_root() {
  has_scaled_root_ = true;
  C_ = product_transposed(normal_.shape.B, normal_.shape.B);
  decompose();
}

void Igo::report(Measures& measures) const { add_rates({dt_m_, dt_, dt_}, measures); }

}  // namespace surefoot
