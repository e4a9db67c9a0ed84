#include "core/methods/xnes/rates/covariance_path.hpp"

namespace surefoot {

double expected_squared_movement(const LearningRateContext& context, const LearningRates& rates) {
  const auto d = static_cast<double>(context.dimension);
  const double mu_w = context.mu_w;
  const double sigma2 = rates.sigma * rates.sigma;
  const double B2 = rates.B * rates.B;
  return (B2 / 2 * (1 + 4 * sigma2 / (d * mu_w)) * (2 * context.shape_parameters()) + sigma2) / mu_w;
}

double expected_squared_movement(Index dimension, double mu_w, const LearningRates& rates) {
  return expected_squared_movement({.dimension = dimension, .mu_w = mu_w}, rates);
}

CovariancePath::CovariancePath(const LearningRateContext& context, double beta, PathFrame frame)
    : context_(context), forgetting_{beta}, p_(context, frame) {}

void CovariancePath::accumulate(const AppliedStep& step) {
  E2_ = expected_squared_movement(context_, step.rates);
  p_.add(step, step.rates.sigma * step.gradient.sigma, forgetting_.cumulation(E2_));
  l_theta_ = p_.squared_length();
  gamma_ = forgetting_.average(gamma_, 1);
}

void CovariancePath::visit(StateVisitor& visitor) {
  p_.visit(visitor, "p_Sigma");
  visitor.scalar("l_theta", l_theta_);
  visitor.scalar("gamma", gamma_);
  visitor.scalar("E2", E2_);
}

}  // namespace surefoot
