#include "core/methods/xnes/rates/lra_rates.hpp"

#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

LraRates checked(const LraRates& c) {
  require_positive("learning_rate lra: alpha_sigma", c.alpha_sigma);
  require_positive("learning_rate lra: alpha_B", c.alpha_B);
  require_fraction("learning_rate lra: beta", c.beta);
  require_positive("learning_rate lra: beta_sigma", c.beta_sigma);
  require_positive("learning_rate lra: beta_B", c.beta_B);
  return c;
}

}  // namespace

LraRatesPolicy::LraRatesPolicy(const LraRates& c, const LearningRateContext& context)
    : constants_(checked(c)),
      first_(default_learning_rates(context)),
      sigma_range_(checked_range("learning_rate lra: eta_sigma", c.eta_sigma_min, c.eta_sigma_max, {first_.sigma, 1})),
      B_range_(checked_range("learning_rate lra: eta_B", c.eta_B_min, c.eta_B_max, {first_.B, 1})),
      path_(context, c.beta, c.frame) {}

LearningRates LraRatesPolicy::next(const AppliedStep& step) {
  const LraRates& c = constants_;
  path_.accumulate(step);
  const PathLength path = path_.length();
  LearningRates rates = step.rates;
  rates.sigma = adapted_rate(rates.sigma, c.alpha_sigma, c.beta_sigma, path, sigma_range_);
  rates.B = adapted_rate(rates.B, c.alpha_B, c.beta_B, path, B_range_);
  return rates;
}

}  // namespace surefoot
