#include "core/methods/cma/psa_cma.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/expected_norm.hpp"
#include "core/invalid_option.hpp"
#include "core/methods/cma/cumulation.hpp"
#include "core/methods/rate_measures.hpp"
#include "core/ranking/rank_information.hpp"

namespace surefoot {
namespace {

constexpr CmaRules psa_rules = {.has_negative_weights = false, .compares_squares = true, .normalises_paths = true};

/// The expectation of the movement's squared length under a random ranking, in Fisher's metric.
double expected_movement(Index dimension, const CmaConstants& c, const CmaState& state) {
  const auto d = static_cast<double>(dimension);
  const double squared_chi = elementary::pow(expected_norm(dimension), 2);
  const double rate = c.c_sigma / c.d_sigma;
  const double kappa = state.gamma_sigma * (d - squared_chi) / squared_chi * rate * rate;
  const double cubes = c.w.array().cube().sum();
  const double gamma = state.gamma_c;
  const double rank_mu = (d * d + d) * c.c_mu * c.c_mu / c.mu_eff;
  const double both = (d * d + d) * c.c_c * (2 - c.c_c) * c.c_1 * c.c_mu * c.mu_eff * cubes;
  const double rank_one = c.c_1 * c.c_1 * (gamma * gamma * d * d + (1 - 2 * gamma + 2 * gamma * gamma) * d);
  return d / c.mu_eff + 2 * d * kappa + (1 + 8 * kappa) / 2 * (rank_mu + both + rank_one);
}

/// The step size that suits a population, up to a factor: that of the sphere.
double suitable_sigma(Index dimension, const CmaConstants& c) {
  const auto d = static_cast<double>(dimension);
  const double progress = rank_information(c.w).c_w;
  return progress * d * c.mu_eff / (d - 1 + progress * progress * c.mu_eff);
}

}  // namespace

Slots slots_of(PsaCmaConstants& c) {
  return {{"alpha", {&c.alpha}}, {"beta", {&c.beta}}, {"lambda_max", {&c.lambda_max}}};
}

PsaCma::PsaCma(const StrategyContext& context, const PsaCmaConstants& constants)
    : Sampler(context.start, *context.popsize),
      own_(constants),
      lambda_min_(static_cast<double>(popsize())),
      lambda_max_(constants.lambda_max.value_or(512 * lambda_min_)),
      constants_(cma_constants(normal_.dimension(), popsize(), psa_rules)),
      state_(normal_),
      step_(normal_.dimension()),
      movement_(normal_.dimension()),
      p_m_(Vector::Zero(normal_.dimension())),
      p_Sigma_(Matrix::Zero(normal_.dimension(), normal_.dimension())),
      lambda_(lambda_min_),
      w_(popsize()) {
  require_positive("method psa-cma: alpha", own_.alpha);
  if (!(own_.beta > 0 && own_.beta < 1)) reject("method psa-cma: beta", own_.beta, "it must be between 0 and 1");
  lambda_max_ = std::max(lambda_max_, lambda_min_);  // restarts may begin with more
  state_.gamma_sigma = state_.gamma_c = 0;
  step_.decompose(state_, normal_.shape);
}

void PsaCma::learn(const Ranking& ranking, const Vector& /*values*/) {
  ranking.assign(constants_.w, w_);
  movement_.start(normal_, state_);
  step_.move(constants_, population_, w_, normal_, state_);
  if (!normal_.shape.is_finite()) return;
  movement_.finish(normal_, state_);
  step_.decompose(state_, normal_.shape);
  follow_movement();
  choose_popsize();
}

void PsaCma::follow_movement() {
  E_ = expected_movement(normal_.dimension(), constants_, state_);
  cumulate(own_.beta, 1 / E_, movement_.m, p_m_);
  p_Sigma_ = (1 - own_.beta) * p_Sigma_ + std::sqrt(own_.beta * (2 - own_.beta) / E_) * movement_.Sigma;
  p_theta2_ = p_m_.squaredNorm() + p_Sigma_.squaredNorm() / 2;
  gamma_theta_ = path_variance(own_.beta, true, gamma_theta_);
}

/// A path longer than that of random movements means a signal, for which fewer candidates do. A path without a length
/// (a forged state has one) says nothing.
void PsaCma::choose_popsize() {
  const double factor = elementary::exp(own_.beta * (gamma_theta_ - p_theta2_ / own_.alpha));
  if (std::isnan(factor)) return;
  lambda_ = std::clamp(lambda_ * factor, lambda_min_, lambda_max_);
  const double before = suitable_sigma(normal_.dimension(), constants_);
  use_popsize(static_cast<Index>(std::floor(lambda_ + 0.5)));
  normal_.sigma *= suitable_sigma(normal_.dimension(), constants_) / before;
}

void PsaCma::use_popsize(Index popsize) {
  if (popsize == constants_.w.size()) return;
  resize(popsize);
  constants_ = cma_constants(normal_.dimension(), popsize, psa_rules);
  w_.resize(popsize);
}

void PsaCma::scale_coordinates(const Vector& factors) {
  state_.scale_coordinates(factors);
  step_.decompose(state_, normal_.shape);
}

/// The population size follows from its real number, also when that is restored.
void PsaCma::visit_rest(StateVisitor& visitor) {
  state_.visit(visitor);
  visitor.scalar("gamma_sigma", state_.gamma_sigma);
  visitor.scalar("gamma_c", state_.gamma_c);
  visitor.vector("p_m", p_m_);
  visitor.matrix("p_Sigma", p_Sigma_);
  visitor.scalar("gamma_theta", gamma_theta_);
  visitor.scalar("E", E_);
  visitor.scalar("p_theta2", p_theta2_);
  visitor.scalar("lambda_real", lambda_);
  if (!(lambda_ >= lambda_min_ && lambda_ <= lambda_max_)) {
    reject("checkpoint: lambda_real", lambda_, "it must be from " + text(lambda_min_) + " to " + text(lambda_max_));
  }
  use_popsize(static_cast<Index>(std::floor(lambda_ + 0.5)));
}

void PsaCma::report(Measures& measures) const {
  const CmaConstants& c = constants_;
  add_rates({c.c_m, c.c_sigma / c.d_sigma, c.c_1 + c.c_mu}, measures);
  measures.add("E", E_);
  measures.add("p_theta2", p_theta2_);
  measures.add("lam", static_cast<double>(popsize()));
}

}  // namespace surefoot
