#include "core/methods/xnes/rates/fixed_rates.hpp"

#include "core/invalid_option.hpp"

namespace surefoot {

FixedRatesPolicy::FixedRatesPolicy(const FixedRates& constants, const LearningRateContext& context) {
  const double factor = require_positive("learning_rate fixed: factor", constants.factor);
  const LearningRates standard = default_learning_rates(context);
  rates_.mean = require_positive("learning_rate fixed: eta_m", constants.eta_m.value_or(standard.mean));
  rates_.sigma =
      require_positive("learning_rate fixed: eta_sigma", constants.eta_sigma.value_or(factor * standard.sigma));
  rates_.B = require_positive("learning_rate fixed: eta_B", constants.eta_B.value_or(factor * standard.B));
  if (context.observed) path_.emplace(context, LraRates{}.beta, constants.frame);
}

LearningRates FixedRatesPolicy::next(const AppliedStep& step) {
  if (path_) path_->accumulate(step);
  return rates_;
}

std::optional<PathLength> FixedRatesPolicy::path() const {
  if (!path_) return std::nullopt;
  return path_->length();
}

void FixedRatesPolicy::visit(StateVisitor& visitor) {
  if (path_) path_->visit(visitor);
}

}  // namespace surefoot
