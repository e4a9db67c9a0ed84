#pragma once

#include "surefoot/as_rates.hpp"

namespace surefoot {

/// Adaptation sampling [Wierstra2014]: the rate of the step size grows unless the ranking says that a step with a
/// larger rate would have led to worse samples. The samples of that step are the present ones, weighted by importance.
class AsRatesPolicy final : public LearningRatePolicy {
 public:
  AsRatesPolicy(const AsRates& constants, const LearningRateContext& context);

  [[nodiscard]] LearningRates first() const override { return first_; }
  LearningRates revised(const LearningRates& rates, const RankedSamples& samples) override;
  LearningRates next(const AppliedStep& step) override { return step.rates; }
  void visit(StateVisitor& visitor) override;

 private:
  AsRates constants_;
  double d_;
  double rho_;
  bool moves_shape_;  // a diagonal shape has one rate for all standard deviations
  LearningRates first_;
  Vector scales_;   // present ones
  Vector earlier_;  // those of the last generation; empty before the second
  Vector v_;        // importance of each sample, best first
};

/// How sure it is that samples with weights v, best first, rank ahead of the same samples without: a Mann-Whitney test.
double confidence(const Vector& v);

}  // namespace surefoot
