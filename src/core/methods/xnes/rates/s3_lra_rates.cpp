#include "core/methods/xnes/rates/s3_lra_rates.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/expected_norm.hpp"
#include "core/invalid_option.hpp"
#include "core/ranking/random_ranking.hpp"

namespace surefoot {
namespace {

/// (d/10)^(ln base/ln 8): 1 at d = 10, `base` at d = 80.
double power_of_dimension(Index dimension, double base) {
  return elementary::pow(static_cast<double>(dimension) / 10, elementary::log(base) / elementary::log(8.0));
}

double default_alpha_sigma(Index dimension) { return 3 * power_of_dimension(dimension, 2.2); }
double default_alpha_B(Index dimension) { return std::min(2.0, 1 + 16 / static_cast<double>(dimension)); }

S3LraRates checked(const S3LraRates& c) {
  require_positive("learning_rate s3-lra: alpha_m", c.alpha_m);
  if (c.alpha_sigma) require_positive("learning_rate s3-lra: alpha_sigma", *c.alpha_sigma);
  if (c.alpha_B) require_positive("learning_rate s3-lra: alpha_B", *c.alpha_B);
  require_positive("learning_rate s3-lra: beta_m", c.beta_m);
  require_positive("learning_rate s3-lra: beta_sigma_inc", c.beta_sigma_inc);
  require_positive("learning_rate s3-lra: beta_sigma_dec", c.beta_sigma_dec);
  require_positive("learning_rate s3-lra: beta_B", c.beta_B);
  require_fraction("learning_rate s3-lra: c", c.c);
  return c;
}

}  // namespace

S3LraRatesPolicy::S3LraRatesPolicy(const S3LraRates& c, const LearningRateContext& context)
    : constants_(checked(c)),
      d_(context.dimension),
      mu_w_(context.mu_w),
      chi_(expected_norm(d_)),
      first_(default_learning_rates(d_)),
      alpha_sigma_(c.alpha_sigma.value_or(default_alpha_sigma(d_))),
      alpha_B_(c.alpha_B.value_or(default_alpha_B(d_))),
      m_range_(checked_range("learning_rate s3-lra: eta_m", c.eta_m_min, c.eta_m_max, {0.01, 1})),
      sigma_range_(checked_range("learning_rate s3-lra: eta_sigma", c.eta_sigma_min, c.eta_sigma_max,
                                 {0.1 * power_of_dimension(d_, 5.5) * first_.sigma, 1})),
      B_range_(
          checked_range("learning_rate s3-lra: eta_B", c.eta_B_min, c.eta_B_max, {0.2 * first_.B, 1.5 * first_.B})),
      forgetting_{c.c},
      p_m_(Vector::Zero(d_)),
      p_B_(d_, c.frame) {}

LearningRates S3LraRatesPolicy::next(const AppliedStep& step) {
  const S3LraRates& c = constants_;
  accumulate(step);
  const double beta_sigma = l_sigma_ / alpha_sigma_ > gamma_ ? c.beta_sigma_inc : c.beta_sigma_dec;
  return {adapted_rate(step.rates.mean, c.alpha_m, c.beta_m, {l_m_, std::sqrt(gamma_)}, m_range_),
          adapted_rate(step.rates.sigma, alpha_sigma_, beta_sigma, {l_sigma_, gamma_}, sigma_range_),
          adapted_rate(step.rates.B, alpha_B_, c.beta_B, {l_B_, gamma_}, B_range_)};
}

void S3LraRatesPolicy::accumulate(const AppliedStep& step) {
  const auto& [eta_m, eta_sigma, eta_B] = step.rates;
  const auto d = static_cast<double>(d_);
  const auto [decay, gain] = forgetting_.cumulation(chi_ * chi_ / mu_w_);
  p_m_ = decay * p_m_ + gain * step.gradient.delta;
  l_m_ = p_m_.norm();

  const double movement = elementary::expm1(eta_sigma * step.gradient.sigma);  // of sigma^2
  l_sigma_ = forgetting_.average(l_sigma_, d / 2 * movement * movement * mu_w_ / (eta_sigma * eta_sigma));

  if (d_ > 1) {  // else there is no shape, and none is expected
    p_B_.add(step, 0, forgetting_.cumulation(eta_B * eta_B * expected_shape_square(d_, mu_w_)));
    l_B_ = p_B_.squared_length();
  }
  gamma_ = forgetting_.average(gamma_, 1);
}

void S3LraRatesPolicy::visit(StateVisitor& visitor) {
  visitor.vector("p_m", p_m_);
  p_B_.visit(visitor, "p_B");
  visitor.scalar("l_m", l_m_);
  visitor.scalar("l_sigma", l_sigma_);
  visitor.scalar("l_B", l_B_);
  visitor.scalar("gamma", gamma_);
}

}  // namespace surefoot
