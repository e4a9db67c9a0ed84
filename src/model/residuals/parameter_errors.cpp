#include "model/residuals/parameter_errors.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/symmetric_eigen.hpp"
#include "model/residuals/fewer_rows.hpp"
#include "model/residuals/infinity.hpp"
#include "model/residuals/student_t.hpp"

namespace surefoot {
namespace {

constexpr double negligible = 1e-14;  // an eigenvalue of a matrix with unit columns
constexpr double confidence = 0.975;  // of each end of an interval

/// How far each parameter can go.
Vector ranges_of(const FitEnd& end) {
  Vector ranges = end.widths;
  for (Index i = 0; i < ranges.size(); ++i) {
    if (!std::isfinite(ranges[i])) ranges[i] = std::abs(end.x[i]);
  }
  return ranges;
}

/// The Jacobian with zeros for parameters without effect, which have only rounding errors.
Matrix without_rounding(const FitEnd& end, const Vector& ranges) {
  constexpr double rounding = 1e-7;  // of slopes that a kernel fit gives
  Matrix J = end.jacobian;
  const Vector effects = J.colwise().norm().transpose().cwiseProduct(ranges);
  for (Index i = 0; i < J.cols(); ++i) {
    const bool is_lost = end.jacobian_deviations.size() > 0 && J.col(i).norm() <= 3 * end.jacobian_deviations[i];
    if (is_lost || (effects[i] <= rounding * effects.maxCoeff() && ranges[i] > 0)) J.col(i).setZero();
  }
  return J;
}

/// Eigenvalues and directions of J'J, whose columns have been scaled to length one.
struct Curvature {
  Vector lengths;  // of the columns
  Vector values;
  Matrix axes;
};

Curvature curvature_of(Matrix J) {
  Curvature curvature{J.colwise().norm().transpose(), {}, {}};
  for (Index k = 0; k < J.cols(); ++k) {
    if (!(curvature.lengths[k] > 0)) curvature.lengths[k] = 1;
    J.col(k) /= curvature.lengths[k];
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(transposed_product(J, J));
  curvature.values = eigen.eigenvalues();
  curvature.axes = eigen.eigenvectors();
  return curvature;
}

/// "a - 2.1 b": a direction, in units of its first large part.
std::string combination(const Vector& direction, const std::vector<std::string>& names) {
  Index first = 0;
  const double largest = direction.cwiseAbs().maxCoeff(&first);
  std::string words = names[static_cast<std::size_t>(first)];
  for (Index k = 0; k < direction.size(); ++k) {
    if (k == first || std::abs(direction[k]) < 0.01 * largest) continue;
    const double part = direction[k] / direction[first];
    words += (part < 0 ? " - " : " + ") + short_text(std::abs(part)) + " " + names[static_cast<std::size_t>(k)];
  }
  return words;
}

/// The free parameters that no bound holds.
std::vector<Index> held_by_nothing(const FitEnd& end) {
  std::vector<Index> loose;
  for (std::size_t k = 0; k < end.active.size(); ++k) {
    if (end.active[k] == 0) loose.push_back(static_cast<Index>(k));
  }
  return loose;
}

/// The covariance, and the directions along which it is larger than the parameters' ranges.
void add_covariance(const FitEnd& end, const std::vector<Index>& loose, ParameterErrors& errors) {
  const Vector ranges = ranges_of(end);
  const Curvature curvature = curvature_of(without_rounding(end, ranges)(Eigen::all, loose));
  const double s = std::sqrt(errors.residual_variance);
  for (Index j = 0; j < curvature.values.size(); ++j) {
    Vector direction = Vector::Zero(end.x.size());
    direction(loose) = curvature.axes.col(j).cwiseQuotient(curvature.lengths);
    const bool is_flat = !(curvature.values[j] > negligible);
    const double deviation = is_flat ? fit_infinity : s / std::sqrt(curvature.values[j]);
    if (!is_flat) errors.covariance += deviation * deviation * (direction * direction.transpose());
    const bool is_wide = (direction.array().abs() * deviation > ranges.array() && ranges.array() > 0).any();
    if (is_flat || is_wide) errors.undetermined.push_back(combination(direction, end.names));
  }
}

void set_intervals(const FitEnd& end, double factor, ParameterErrors& errors) {
  for (Index k = 0; k < end.x.size(); ++k) {
    const double reach = factor * errors.deviations[k];
    const bool is_log = !end.log.empty() && end.log[static_cast<std::size_t>(k)];
    if (is_log) {
      const double ratio = elementary::exp(reach / end.x[k]);
      errors.intervals.row(k) << end.x[k] / ratio, end.x[k] * ratio;
    } else {
      errors.intervals.row(k) << end.x[k] - reach, end.x[k] + reach;
    }
  }
}

}  // namespace

ParameterErrors parameter_errors(const FitEnd& end) {
  const Index d = end.x.size();
  const Index m = end.jacobian.rows();
  const std::vector<Index> loose = held_by_nothing(end);
  const auto p = static_cast<Index>(loose.size());
  if (m <= p) {
    reject("residuals", m, "errors need more residuals than the " + text(p) + " parameters that are fitted");
  }
  ParameterErrors errors{Matrix::Zero(d, d), Vector::Zero(d), Matrix(d, 2), Matrix::Zero(d, d)};
  errors.residual_variance = end.absolute_sigma ? 1 : end.f / static_cast<double>(m - p);
  if (p > 0) add_covariance(end, loose, errors);
  errors.deviations = errors.covariance.diagonal().cwiseSqrt();
  for (const Index i : loose) {
    for (const Index j : loose) {
      const double both = errors.deviations[i] * errors.deviations[j];
      errors.correlation(i, j) = both > 0 ? errors.covariance(i, j) / both : 0;
    }
  }
  const double factor =
      end.absolute_sigma ? 1.959963984540054 : student_quantile(confidence, static_cast<double>(m - p));
  set_intervals(end, factor, errors);
  return errors;
}

}  // namespace surefoot
