#include "surefoot/search_distribution.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/invalid_option.hpp"
#include "core/symmetric_eigen.hpp"

namespace surefoot {

SearchDistribution SearchDistribution::axis_parallel(const Vector& mean, const Vector& standard_deviations) {
  const Vector& sd = standard_deviations;
  // A common standard deviation is kept exactly; exp(log(.)) would round it.
  const bool isotropic = (sd.array() == sd[0]).all();
  const double sigma = isotropic ? sd[0] : std::exp(sd.array().log().mean());
  return {mean, sigma, Matrix((sd / sigma).asDiagonal())};
}

SearchDistribution SearchDistribution::with_covariance(const Vector& mean, const Matrix& covariance) {
  const Index d = mean.size();
  if (covariance.rows() != d || covariance.cols() != d) {
    reject("covariance", "a " + text(covariance.rows()) + " x " + text(covariance.cols()) + " matrix",
           "it must be " + text(d) + " x " + text(d));
  }
  const Eigen::LLT<Matrix> cholesky(covariance);
  if (!covariance.allFinite() || !covariance.isApprox(covariance.transpose()) || cholesky.info() != Eigen::Success) {
    throw std::invalid_argument("covariance: it must be symmetric and positive definite");
  }
  const Matrix L = cholesky.matrixL();
  const double sigma = std::exp(L.diagonal().array().log().mean());
  return {mean, sigma, L / sigma};
}

Vector SearchDistribution::standard_deviations() const { return sigma * B.rowwise().norm(); }

void SearchDistribution::standard_deviations(Vector& deviations) const {
  // Column by column: single rows of a large B would miss the cache at every element.
  deviations.setZero(B.rows());
  for (Index j = 0; j < B.cols(); ++j) deviations += B.col(j).cwiseAbs2();
  deviations = sigma * deviations.cwiseSqrt();
}

void SearchDistribution::scale_coordinates(const Vector& factors) {
  if ((factors.array() == factors[0]).all()) {
    sigma *= factors[0];
    return;
  }
  const double common = std::exp(factors.array().log().mean());
  B = (factors / common).asDiagonal() * B;
  sigma *= common;
}

namespace {

/// Of B, ascending.
Vector singular_values(const Matrix& B) {
  if (!B.allFinite()) return Vector::Constant(B.rows(), std::nan(""));
  const Matrix gram = B.transpose() * B;
  return Eigen::SelfAdjointEigenSolver<Matrix>(gram, Eigen::EigenvaluesOnly).eigenvalues().cwiseMax(0).cwiseSqrt();
}

}  // namespace

Vector SearchDistribution::axis_lengths() const { return sigma * singular_values(B).reverse(); }

double SearchDistribution::condition() const {
  const Vector values = singular_values(B);  // without sigma, which may have underflowed
  const double ratio = values[values.size() - 1] / values[0];
  return ratio * ratio;
}

Matrix SearchDistribution::covariance() const { return sigma * sigma * (B * B.transpose()); }

}  // namespace surefoot
