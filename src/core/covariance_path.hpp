#pragma once

#include <optional>

#include "core/polar_factor.hpp"
#include "surefoot/learning_rate.hpp"

namespace surefoot {

/// E|I^{1/2} dSigma|^2 of one step under a random ranking, to first order [NomuraOno2022, eq. 9].
double expected_squared_movement(Index dimension, double mu_w, const LearningRates& rates);

/// The evolution path p_Sigma in the parameter space of the covariance [NomuraOno2022, eqs. 1-4].
///
/// The paper's Fisher square root is not unique. Both choices here normalise by the old covariance:
/// Delta = e^{eta_sigma G_sigma} expm(eta_B G_B) - I in the frame of B, and O Delta O^T, O the polar factor of B, in
/// the frame of the symmetric root. A single movement has the same length in both; sums of them differ.
class CovariancePath {
 public:
  CovariancePath(const LearningRateContext& context, double beta, PathFrame frame);

  void accumulate(const AppliedStep& step);

  /// l_theta = tr(p^2)/2 [NomuraOno2022, eq. 3] and gamma [eq. 4].
  [[nodiscard]] PathLength length() const { return {l_theta_, gamma_}; }

  void visit(StateVisitor& visitor);

 private:
  Index d_;
  double mu_w_;
  double beta_;
  std::optional<PolarFactor> polar_;  // empty in the frame of B
  Matrix p_;                          // p_Sigma, symmetric; without the factor 1/sqrt(2), which eq. 3 and eq. 9 carry
  double l_theta_ = 0;
  double gamma_ = 0;
  double E2_ = 0;
};

}  // namespace surefoot
