#include "surefoot/start.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "core/elementary/elementary.hpp"
#include "core/geometric_mean.hpp"
#include "core/invalid_option.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/dense_solvers.hpp"
#include "core/linear_algebra/rank_one_eigenvalues.hpp"
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

Vector Start::own_deviations() const {
  if (!direction) return deviations;
  return ((deviations - *direction).array() * (deviations + *direction).array()).sqrt();
}

double Start::sigma() const {
  if (factor)
    return elementary::exp(elementary::mean_log(Eigen::PartialPivLU<Matrix>(*factor).matrixLU().diagonal().cwiseAbs()));
  if (!direction) return geometric_mean(deviations);
  const Vector own = own_deviations();
  const double square = direction->cwiseQuotient(own).squaredNorm();
  return elementary::exp(elementary::mean_log(own) + elementary::log1p(square) / (2 * static_cast<double>(own.size())));
}

Matrix Start::covariance() const {
  if (factor) return product_transposed(*factor, *factor);
  Matrix covariance = Matrix::Zero(dimension(), dimension());
  if (direction) covariance = product_transposed(*direction, *direction);
  covariance.diagonal() = deviations.cwiseAbs2();
  return covariance;
}

Vector Start::axis_lengths() const {
  if (factor) return singular_values(*factor);
  Vector lengths = deviations;
  if (direction) {
    const RankOneEigenvalues eigenvalues(own_deviations().cwiseAbs2(), *direction);
    for (Index k = 0; k < lengths.size(); ++k) lengths[k] = std::sqrt(eigenvalues(k));
  }
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  return lengths;
}

Vector Start::point(const Vector& z) const {
  if (factor) return mean + *factor * z;
  if (direction) {
    const Vector own = own_deviations();
    const Vector v = direction->cwiseQuotient(own);
    return mean + own.cwiseProduct(z) + (v.dot(z) / (1 + std::sqrt(1 + v.squaredNorm()))) * *direction;
  }
  return mean + deviations.cwiseProduct(z);
}

void Start::widen(double by) {
  deviations *= by;
  if (factor) *factor *= by;
  if (direction) *direction *= by;
}

void Start::rescale(const Vector& units) {
  mean.array() *= units.array();
  deviations.array() *= units.array();
  if (factor) *factor = scaled_rows(units, *factor);
  if (direction) direction->array() *= units.array();
}

}  // namespace surefoot
