#include "surefoot/start.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "core/geometric_mean.hpp"
#include "core/invalid_option.hpp"
#include "core/linear_algebra/singular_values.hpp"

namespace surefoot {

Start Start::with_covariance(const Vector& mean, const Matrix& covariance) {
  const Index d = mean.size();
  if (covariance.rows() != d || covariance.cols() != d) {
    reject("covariance", "a " + text(covariance.rows()) + " x " + text(covariance.cols()) + " matrix",
           "it must be " + text(d) + " x " + text(d));
  }
  const Eigen::LLT<Matrix> cholesky(covariance);
  if (!covariance.allFinite() || !covariance.isApprox(covariance.transpose()) || cholesky.info() != Eigen::Success) {
    throw std::invalid_argument("covariance: it must be symmetric and positive definite");
  }
  return with_factor(mean, cholesky.matrixL());
}

Start Start::with_factor(const Vector& mean, Matrix factor) {
  Vector deviations = factor.rowwise().norm();
  return {mean, std::move(deviations), std::move(factor)};
}

double Start::sigma() const {
  if (factor) return std::exp(Eigen::PartialPivLU<Matrix>(*factor).matrixLU().diagonal().array().abs().log().mean());
  return geometric_mean(deviations);
}

Matrix Start::covariance() const {
  if (factor) return *factor * factor->transpose();
  return deviations.cwiseAbs2().asDiagonal();
}

Vector Start::axis_lengths() const {
  if (factor) return singular_values(*factor);
  Vector lengths = deviations;
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  return lengths;
}

Vector Start::point(const Vector& z) const {
  if (factor) return mean + *factor * z;
  return mean + deviations.cwiseProduct(z);
}

void Start::widen(double by) {
  deviations *= by;
  if (factor) *factor *= by;
}

void Start::rescale(const Vector& units) {
  mean.array() *= units.array();
  deviations.array() *= units.array();
  if (factor) *factor = units.asDiagonal() * *factor;
}

}  // namespace surefoot
