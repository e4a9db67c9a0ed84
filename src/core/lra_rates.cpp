#include "core/lra_rates.hpp"

#include <algorithm>
#include <cmath>

#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

void require_range(const char* option, const std::optional<double>& low, double high) {
  if (low && *low > high) reject(option, *low, "it must be at most the maximum, " + text(high));
}

LraRates checked(const LraRates& c) {
  require_positive("learning_rate lra: alpha_sigma", c.alpha_sigma);
  require_positive("learning_rate lra: alpha_B", c.alpha_B);
  if (!(c.beta > 0 && c.beta <= 1)) reject("learning_rate lra: beta", c.beta, "it must be in (0, 1]");
  require_positive("learning_rate lra: beta_sigma", c.beta_sigma);
  require_positive("learning_rate lra: beta_B", c.beta_B);
  require_positive("learning_rate lra: eta_sigma_max", c.eta_sigma_max);
  require_positive("learning_rate lra: eta_B_max", c.eta_B_max);
  if (c.eta_sigma_min) require_positive("learning_rate lra: eta_sigma_min", *c.eta_sigma_min);
  if (c.eta_B_min) require_positive("learning_rate lra: eta_B_min", *c.eta_B_min);
  require_range("learning_rate lra: eta_sigma_min", c.eta_sigma_min, c.eta_sigma_max);
  require_range("learning_rate lra: eta_B_min", c.eta_B_min, c.eta_B_max);
  return c;
}

}  // namespace

double adapted_rate(double eta, double alpha, double beta, const PathLength& path, double low, double high) {
  // The exponential may overflow at small popsize; infinity is then clipped to the maximum.
  return std::min(std::max(eta * std::exp(beta * (path.l_theta / alpha - path.gamma)), low), high);
}

LraRatesPolicy::LraRatesPolicy(const LraRates& constants, const LearningRateContext& context)
    : constants_(checked(constants)),
      first_(default_learning_rates(context.dimension)),
      eta_sigma_min_(constants.eta_sigma_min.value_or(first_.sigma)),
      eta_B_min_(constants.eta_B_min.value_or(first_.B)),
      path_(context, constants.beta, constants.frame) {}

LearningRates LraRatesPolicy::next(const AppliedStep& step) {
  const LraRates& c = constants_;
  path_.accumulate(step);
  const PathLength path = path_.length();
  LearningRates rates = step.rates;
  rates.sigma = adapted_rate(rates.sigma, c.alpha_sigma, c.beta_sigma, path, eta_sigma_min_, c.eta_sigma_max);
  rates.B = adapted_rate(rates.B, c.alpha_B, c.beta_B, path, eta_B_min_, c.eta_B_max);
  return rates;
}

}  // namespace surefoot
