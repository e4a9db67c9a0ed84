#pragma once

#include "core/methods/xnes/rates/forgetting.hpp"
#include "core/methods/xnes/rates/movement_path.hpp"

namespace surefoot {

/// E|I^{1/2} dSigma|^2 of one step under a random ranking, to first order [NomuraOno2022, eq. 9].
double expected_squared_movement(Index dimension, double mu_w, const LearningRates& rates);
/// The same, or that of a diagonal shape, which has fewer parameters (docs/explanation/theory.md).
double expected_squared_movement(const LearningRateContext& context, const LearningRates& rates);

/// The evolution path p_Sigma in the parameter space of the covariance [NomuraOno2022, eqs. 1-4].
class CovariancePath {
 public:
  CovariancePath(const LearningRateContext& context, double beta, PathFrame frame);

  void accumulate(const AppliedStep& step);

  /// l_theta = tr(p^2)/2 [NomuraOno2022, eq. 3] and gamma [eq. 4].
  [[nodiscard]] PathLength length() const { return {l_theta_, gamma_}; }

  void visit(StateVisitor& visitor);

 private:
  LearningRateContext context_;
  Forgetting forgetting_;
  MovementPath p_;  // p_Sigma, without the factor 1/sqrt(2), which eq. 3 and eq. 9 carry
  double l_theta_ = 0;
  double gamma_ = 0;
  double E2_ = 0;
};

}  // namespace surefoot
