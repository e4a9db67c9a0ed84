#pragma once

#include "core/covariance_path.hpp"

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
  double eta_sigma_min_;
  double eta_B_min_;
  CovariancePath path_;
};

/// eta exp(beta (l_theta/alpha - gamma)), clipped [NomuraOno2022, eqs. 5-8]. min(max(eta, low), high) in this order:
/// at d = 1 the default rate 1.8 is above the maximum 1, which must win.
double adapted_rate(double eta, double alpha, double beta, const PathLength& path, double low, double high);

}  // namespace surefoot
