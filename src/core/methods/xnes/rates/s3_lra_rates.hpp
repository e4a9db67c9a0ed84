#pragma once

#include "core/methods/xnes/rates/forgetting.hpp"
#include "core/methods/xnes/rates/movement_path.hpp"
#include "core/methods/xnes/rates/rate_range.hpp"

namespace surefoot {

/// S3-LRA-xNES [Ujihara2026]: each of mean, step size and shape has a rate that follows a length of its own.
///
/// The length of the step size is an average of squares, not the square of an average: it measures how much sigma
/// moves, not whether it keeps its direction.
class S3LraRatesPolicy final : public LearningRatePolicy {
 public:
  S3LraRatesPolicy(const S3LraRates& constants, const LearningRateContext& context);

  [[nodiscard]] LearningRates first() const override { return first_; }
  LearningRates next(const AppliedStep& step) override;
  [[nodiscard]] std::optional<PathLength> path() const override { return PathLength{l_B_, gamma_}; }
  void visit(StateVisitor& visitor) override;

 private:
  void accumulate(const AppliedStep& step);

  S3LraRates constants_;
  Index d_;
  double mu_w_;
  double chi_;  // E|N(0, I)|
  LearningRates first_;
  double alpha_sigma_;
  double alpha_B_;
  RateRange m_range_;
  RateRange sigma_range_;
  RateRange B_range_;
  Forgetting forgetting_;
  double expected_B_;  // squared length of G_B under a random ranking
  Vector p_m_;
  MovementPath p_B_;
  double l_m_ = 0;  // a length; the others are squares
  double l_sigma_ = 0;
  double l_B_ = 0;
  double gamma_ = 0;
};

}  // namespace surefoot
