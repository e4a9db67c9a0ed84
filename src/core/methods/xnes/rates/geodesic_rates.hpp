#pragma once

#include "core/methods/xnes/rates/forgetting.hpp"
#include "core/methods/xnes/rates/rate_range.hpp"

namespace surefoot {

/// Rates in proportion to the signal-to-noise ratio of the natural gradient, seen from the logarithms of the
/// covariance's movements (docs/explanation/theory.md).
///
/// In the frame of B the covariance moves by expm(D), D = eta_sigma G_sigma I + eta_B G_B. D is linear in the rates, so
/// its expected square under a random ranking is known exactly, and a path of D needs no matrix function: it is a
/// running sum of natural gradients.
class GeodesicRatesPolicy final : public LearningRatePolicy {
 public:
  GeodesicRatesPolicy(const GeodesicRates& constants, const LearningRateContext& context);

  [[nodiscard]] LearningRates first() const override { return first_; }
  LearningRates next(const AppliedStep& step) override;
  [[nodiscard]] std::optional<PathLength> path() const override { return PathLength{l_theta_, gamma_}; }
  void visit(StateVisitor& visitor) override;

 private:
  void accumulate(const AppliedStep& step);
  [[nodiscard]] LearningRates separate_rates(const LearningRates& rates);
  [[nodiscard]] double steered(double eta, double l) const;

  GeodesicRates constants_;
  double d_;
  double expected_sigma_;  // squared lengths under a random ranking
  double expected_B_;
  LearningRates first_;
  RateRange range_;
  Forgetting forgetting_;

  double p_sigma_ = 0;  // sum of G_sigma
  Matrix p_B_;          // sum of G_B
  double l_sigma_ = 0;  // squared lengths of the paths in units of the expected ones, and of both together
  double l_B_ = 0;
  double l_theta_ = 0;
  double gamma_ = 0;
  double undamped_sigma_;  // eta_sigma before damping
};

/// An estimate of the squared signal-to-noise ratio s^2 of one step. Steps with mean s in units of the random movement
/// give E[l] = gamma + s^2 (2 - beta)/beta in the long run; under a random ranking the estimate has mean 0.
double signal_to_noise(const PathLength& path, double beta);

/// eta exp(speed clip(r/(alpha eta) - 1, -1, 1)): at rest at eta = r/alpha.
double steered_rate(double eta, double r, double alpha, double speed);

}  // namespace surefoot
