#pragma once

#include "core/methods/xnes/rates/covariance_path.hpp"
#include "core/methods/xnes/rates/rate_range.hpp"

namespace surefoot {

/// Learning-rate adaptation [NomuraOno2022, sec. 3]: raise the rates while the path is longer than under a random
/// ranking, lower them while it is not.
class LraRatesPolicy final : public LearningRatePolicy {
 public:
  LraRatesPolicy(const LraRates& constants, const LearningRateContext& context);

  [[nodiscard]] LearningRates first() const override { return first_; }
  LearningRates next(const AppliedStep& step) override;
  [[nodiscard]] std::optional<PathLength> path() const override { return path_.length(); }
  void visit(StateVisitor& visitor) override { path_.visit(visitor); }

 private:
  LraRates constants_;
  LearningRates first_;
  RateRange sigma_range_;
  RateRange B_range_;
  CovariancePath path_;
};

}  // namespace surefoot
