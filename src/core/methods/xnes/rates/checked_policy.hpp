#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/invalid_option.hpp"
#include "surefoot/learning_rate.hpp"

namespace surefoot {

/// A policy of the user's own: invalid rates are refused where they arise, not generations later as a
/// distribution that holds NaN.
class CheckedPolicy final : public LearningRatePolicy {
 public:
  CheckedPolicy(std::string name, std::unique_ptr<LearningRatePolicy> policy)
      : name_(std::move(name)), policy_(std::move(policy)) {
    if (policy_ == nullptr) reject("learning_rate", "'" + name_ + "'", "its factory gave no policy");
  }

  [[nodiscard]] LearningRates first() const override { return checked(policy_->first()); }
  LearningRates revised(const LearningRates& rates, const RankedSamples& samples) override {
    return checked(policy_->revised(rates, samples));
  }
  LearningRates next(const AppliedStep& step) override { return checked(policy_->next(step)); }
  [[nodiscard]] std::optional<PathLength> path() const override { return policy_->path(); }
  void visit(StateVisitor& visitor) override { policy_->visit(visitor); }

 private:
  [[nodiscard]] LearningRates checked(const LearningRates& rates) const {
    require_positive("learning_rate " + name_ + ": eta_m", rates.mean);
    require_positive("learning_rate " + name_ + ": eta_sigma", rates.sigma);
    require_positive("learning_rate " + name_ + ": eta_B", rates.B);
    return rates;
  }

  std::string name_;
  std::unique_ptr<LearningRatePolicy> policy_;
};

}  // namespace surefoot
