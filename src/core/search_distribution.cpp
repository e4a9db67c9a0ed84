#include "surefoot/search_distribution.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace surefoot {

SearchDistribution SearchDistribution::axis_parallel(const Vector& mean, const Vector& standard_deviations) {
  const Vector& sd = standard_deviations;
  // A common standard deviation is kept exactly; exp(log(.)) would round it.
  const bool isotropic = (sd.array() == sd[0]).all();
  const double sigma = isotropic ? sd[0] : std::exp(sd.array().log().mean());
  return {mean, sigma, Matrix((sd / sigma).asDiagonal())};
}

Vector SearchDistribution::standard_deviations() const { return sigma * B.rowwise().norm(); }

Vector SearchDistribution::axis_lengths() const {
  if (!B.allFinite()) return Vector::Constant(dimension(), std::nan(""));
  const Matrix gram = B.transpose() * B;
  const Vector squares = Eigen::SelfAdjointEigenSolver<Matrix>(gram, Eigen::EigenvaluesOnly).eigenvalues();
  return sigma * squares.cwiseMax(0).cwiseSqrt().reverse();
}

double SearchDistribution::condition() const {
  const Vector lengths = axis_lengths();
  const double ratio = lengths[0] / lengths[lengths.size() - 1];
  return ratio * ratio;
}

Matrix SearchDistribution::covariance() const { return sigma * sigma * (B * B.transpose()); }

}  // namespace surefoot
