#include "core/methods/xnes/rates/as_rates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

AsRates checked(const AsRates& c) {
  const auto require_between = [](const char* option, double value) {
    if (!(value > 0 && value < 1)) reject(option, value, "it must be between 0 and 1");
  };
  require_between("learning_rate as: c", c.c);
  if (c.rho) require_between("learning_rate as: rho", *c.rho);
  if (!(c.factor > 1 && std::isfinite(c.factor))) {
    reject("learning_rate as: factor", c.factor, "it must be a finite number above 1");
  }
  require_positive("learning_rate as: eta_max", c.eta_max);
  return c;
}

}  // namespace

AsRatesPolicy::AsRatesPolicy(const AsRates& c, const LearningRateContext& context)
    : constants_(checked(c)),
      d_(static_cast<double>(context.dimension)),
      rho_(c.rho.value_or(0.5 - 1 / (3 * (d_ + 1)))),
      moves_shape_(context.diagonal),
      first_(default_learning_rates(context)) {}

/// A rate `factor` times as large would have led to scales larger by q = (scale/earlier)^(factor - 1): logarithms of
/// scales are linear in it. Of a sample z the ratio of the two densities is exp(sum_j (1 - q_j^-2) z_j^2/2 - ln q_j).
LearningRates AsRatesPolicy::revised(const LearningRates& rates, const RankedSamples& samples) {
  samples.scales(scales_);
  if (earlier_.size() != scales_.size()) {
    earlier_ = scales_;
    return rates;
  }
  Vector c(scales_.size());
  double log_q = 0;
  for (Index j = 0; j < c.size(); ++j) {
    const double grown = (constants_.factor - 1) * elementary::log(scales_[j] / earlier_[j]);
    log_q += grown;
    c[j] = -elementary::expm1(-2 * grown) / 2;
  }
  earlier_ = scales_;
  if (c.size() == 1) log_q *= d_;
  samples.squared_lengths(c, v_);
  for (double& v : v_) v = elementary::exp(v - log_q);

  const bool is_longer_better = confidence(v_) >= rho_;
  LearningRates revised = rates;
  revised.sigma = is_longer_better ? std::min(constants_.eta_max, (1 + constants_.c) * rates.sigma)
                                   : (1 - constants_.c) * rates.sigma + constants_.c * first_.sigma;
  if (moves_shape_) revised.B = revised.sigma;
  return revised;
}

double confidence(const Vector& v) {
  const auto popsize = static_cast<double>(v.size());
  const double n = v.sum();
  double U = 0;
  for (Index k = 0; k < v.size(); ++k) U += v[k] * (popsize - static_cast<double>(k) - 0.5);
  const double score = (U - popsize * n / 2) / std::sqrt(popsize * n * (popsize + n + 1) / 12);
  return std::isfinite(n) ? elementary::erfc(-score / std::numbers::sqrt2) / 2 : 0;
}

void AsRatesPolicy::visit(StateVisitor& visitor) { visitor.vector("earlier scales", earlier_); }

}  // namespace surefoot
