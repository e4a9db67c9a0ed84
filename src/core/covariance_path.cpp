#include "core/covariance_path.hpp"

#include <cmath>

namespace surefoot {

double expected_squared_movement(Index dimension, double mu_w, const LearningRates& rates) {
  const auto d = static_cast<double>(dimension);
  const double sigma2 = rates.sigma * rates.sigma;
  const double B2 = rates.B * rates.B;
  return (B2 / 2 * (1 + 4 * sigma2 / (d * mu_w)) * (d * d + d - 2) + sigma2) / mu_w;
}

CovariancePath::CovariancePath(const LearningRateContext& context, double beta, PathFrame frame)
    : d_(context.dimension), mu_w_(context.mu_w), beta_(beta), p_(Matrix::Zero(d_, d_)) {
  if (frame == PathFrame::symmetric_root) polar_.emplace(d_);
}

void CovariancePath::accumulate(const AppliedStep& step) {
  E2_ = expected_squared_movement(d_, mu_w_, step.rates);
  const double log_scale = step.rates.sigma * step.gradient.sigma;
  const Cumulation cumulation = {1 - beta_, std::sqrt(beta_ * (2 - beta_) / E2_)};
  if (polar_) {
    step.shape.add_rotated_movement((*polar_)(step.frame), log_scale, cumulation, p_);
  } else {
    step.shape.add_movement(log_scale, cumulation, p_);
  }
  l_theta_ = p_.squaredNorm() / 2;
  gamma_ = (1 - beta_) * (1 - beta_) * gamma_ + beta_ * (2 - beta_);
}

void CovariancePath::visit(StateVisitor& visitor) {
  visitor.matrix("p_Sigma", p_);
  visitor.scalar("l_theta", l_theta_);
  visitor.scalar("gamma", gamma_);
  visitor.scalar("E2", E2_);
}

}  // namespace surefoot
