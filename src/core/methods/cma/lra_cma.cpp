#include "core/methods/cma/lra_cma.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary/elementary.hpp"
#include "core/geometric_mean.hpp"
#include "core/invalid_option.hpp"
#include "core/methods/rate_measures.hpp"

namespace surefoot {
namespace {

/// The authors' program has no negative weights.
CmaRules rules_of(CmaForm form, Index popsize) {
  if (form == CmaForm::cmaes) return {};
  return {.has_negative_weights = false,
          .alpha_cov = std::min(2.0, static_cast<double>(popsize) / 3),
          .compares_squares = true,
          .gates_p_c = false,
          .largest_growth = 1};
}

double require_share(std::string_view option, double value) {
  if (!(value > 0 && value < 1)) reject(option, value, "it must be between 0 and 1");
  return value;
}

LraCmaConstants checked(const LraCmaConstants& c) {
  require_positive("method lra-cma: alpha", c.alpha);
  require_positive("method lra-cma: gamma", c.gamma);
  require_share("method lra-cma: beta_m", c.beta_m);
  require_share("method lra-cma: beta_Sigma", c.beta_Sigma);
  return c;
}

}  // namespace

Slots slots_of(LraCmaConstants& c) {
  return {{"form", {&c.form}},
          {"alpha", {&c.alpha}},
          {"beta_m", {&c.beta_m}},
          {"beta_Sigma", {&c.beta_Sigma}},
          {"gamma", {&c.gamma}}};
}

LraCma::LraCma(const StrategyContext& context, const LraCmaConstants& constants)
    : Sampler(context.start, *context.popsize),
      own_(checked(constants)),
      constants_(cma_constants(normal_.dimension(), popsize(), rules_of(constants.form, popsize()))),
      state_(normal_),
      step_(normal_.dimension()),
      movement_(normal_.dimension()),
      mean_{own_.beta_m, Vector::Zero(normal_.dimension())},
      covariance_{own_.beta_Sigma, Matrix::Zero(normal_.dimension(), normal_.dimension())},
      w_(popsize()) {
  step_.decompose(state_, normal_.shape);
}

/// The ratio is estimated from the averages, and aimed at alpha eta: the noise of a step is proportional to the rate,
/// and so is what it may be.
template <class Moved>
void LraCma::Rate<Moved>::adapt(const Moved& movement, double alpha, double gamma) {
  E = (1 - beta) * E + beta * movement;
  V = (1 - beta) * V + beta * movement.squaredNorm();
  const double signal = E.squaredNorm() - beta / (2 - beta) * V;
  const double noise = V - E.squaredNorm();
  if (!(noise > 0)) return;  // nothing has moved
  const double excess = std::clamp(signal / noise / (alpha * eta) - 1, -1.0, 1.0);
  eta = std::min(1.0, eta * elementary::exp(std::min(gamma * eta, beta) * excess));
}

void LraCma::learn(const Ranking& ranking, const Vector& /*values*/) {
  ranking.assign(constants_.w, w_);
  movement_.start(normal_, state_);
  step_.move(constants_, population_, w_, normal_, state_);
  if (!normal_.shape.is_finite()) return;
  movement_.finish(normal_, state_);
  movement_.Sigma /= std::numbers::sqrt2;  // so that squared norms are lengths in Fisher's metric

  const double old_eta = mean_.eta;
  mean_.adapt(movement_.m, own_.alpha, own_.gamma);
  covariance_.adapt(movement_.Sigma, own_.alpha, own_.gamma);
  take_part_of_step();
  normal_.sigma *= old_eta / mean_.eta;
}

/// m + eta_m (m' - m) and Sigma + eta_Sigma (Sigma' - Sigma), with det C = 1. The paths stay as they are.
void LraCma::take_part_of_step() {
  auto& [m, sigma, shape] = normal_;
  const double growth = sigma / movement_.old_sigma;
  m = movement_.old_mean + mean_.eta * (m - movement_.old_mean);
  state_.C = (1 - covariance_.eta) * movement_.old_C + (covariance_.eta * growth * growth) * state_.C;
  step_.decompose(state_, shape);
  const double common = geometric_mean(step_.axis_lengths());
  state_.C /= common * common;
  shape.B /= common;
  shape.bound.restart(shape.B);
  sigma = movement_.old_sigma * common;
}

void LraCma::scale_coordinates(const Vector& factors) {
  state_.scale_coordinates(factors);
  step_.decompose(state_, normal_.shape);
}

void LraCma::visit_rest(StateVisitor& visitor) {
  std::int64_t h_sigma = state_.h_sigma ? 1 : 0;
  state_.visit(visitor);
  visitor.integer("h_sigma", h_sigma);
  state_.h_sigma = h_sigma != 0;
  visitor.vector("E_m", mean_.E);
  visitor.scalar("V_m", mean_.V);
  visitor.scalar("eta_m", mean_.eta);
  visitor.matrix("E_Sigma", covariance_.E);
  visitor.scalar("V_Sigma", covariance_.V);
  visitor.scalar("eta_Sigma", covariance_.eta);
}

/// The rates of CMA-ES, of which a part is taken.
void LraCma::report(Measures& measures) const {
  const CmaConstants& c = constants_;
  const double part = covariance_.eta;
  add_rates({mean_.eta * c.c_m, part * c.c_sigma / c.d_sigma, part * (c.c_1 + c.c_mu)}, measures);
  measures.add("eta_Sigma", part);
  measures.add("h_sigma", state_.h_sigma ? 1 : 0);
}

}  // namespace surefoot
