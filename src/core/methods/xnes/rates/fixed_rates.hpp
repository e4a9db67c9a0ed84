#pragma once

#include <optional>

#include "core/methods/xnes/rates/covariance_path.hpp"

namespace surefoot {

/// The rates of xNES as published, or others; they never change. If somebody observes, it measures the path with the
/// paper's beta, as figure 1 of the paper does.
class FixedRatesPolicy final : public LearningRatePolicy {
 public:
  FixedRatesPolicy(const FixedRates& constants, const LearningRateContext& context);

  [[nodiscard]] LearningRates first() const override { return rates_; }
  LearningRates next(const AppliedStep& step) override;
  [[nodiscard]] std::optional<PathLength> path() const override;
  void visit(StateVisitor& visitor) override;

 private:
  LearningRates rates_;
  std::optional<CovariancePath> path_;
};

}  // namespace surefoot
