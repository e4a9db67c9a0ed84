#include "search/stop/run_deviations.hpp"

#include <algorithm>
#include <cmath>

#include "core/invalid_option.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/dense_solvers.hpp"
#include "search/stop/run_values.hpp"

namespace surefoot {
namespace {

// Squares of distances leave the range of doubles beyond these.
constexpr double smallest_deviation = 1e-150;
constexpr double largest_deviation = 1e150;

// Reciprocal condition of the shape at which solving with it leaves no correct digit.
constexpr double smallest_rcond = 1e-15;

}  // namespace

RunDeviations::RunDeviations(const Options& options, const Domain& domain, const Distribution& start)
    : options_(options),
      domain_(domain),
      has_real_(has_real_coordinate(domain)),
      start_sigma_(start.sigma()),
      deviations_(start.dimension()) {
  start.deviations(deviations_);
  const bool is_isotropic = (deviations_.array() == deviations_[0]).all();
  start_deviations_ = deviations_.head(is_isotropic ? 1 : deviations_.size());
}

bool RunDeviations::has_shrunk(const Distribution& distribution) {
  distribution.deviations(deviations_);
  return largest_ratio() < options_.tolx;
}

Stop RunDeviations::test(const Distribution& distribution) {
  distribution.deviations(deviations_);
  if (has_real_) {
    if (Stop stop = vanished(distribution.mean())) return stop;
  }
  if (Stop stop = exploded()) return stop;
  if (has_real_) {
    if (Stop stop = tolx()) return stop;
  }
  return noeffectcoord(distribution.mean());
}

Stop RunDeviations::non_finite(const Distribution& distribution) {
  if (!distribution.is_finite()) return {StopReason::non_finite, "diverged: the distribution holds NaN or infinity"};
  if (!(distribution.sigma() > 0)) return {StopReason::vanished, "converged: the step size sigma is 0"};
  return {};
}

Stop RunDeviations::tolupsigma(double sigma) const {
  if (options_.tolupsigma <= 0 || !(sigma / start_sigma_ > options_.tolupsigma)) return {};
  return {StopReason::tolupsigma, "diverged: sigma has grown by " + short_text(sigma / start_sigma_) +
                                      " > tolupsigma = " + short_text(options_.tolupsigma)};
}

Stop RunDeviations::noeffectaxis(const Distribution& distribution, std::int64_t generation) {
  if (!options_.noeffectaxis || !has_real_) return {};
  const Vector& mean = distribution.mean();
  const double sigma = distribution.sigma();
  Vector& axis = deviations_;  // which are measured anew after this
  distribution.axis(static_cast<Index>(generation % mean.size()), axis);
  if (!domain_.discrete().empty() && !has_real_axis(distribution, axis)) return {};
  for (Index j = 0; j < mean.size(); ++j) {
    if (mean[j] + 0.1 * sigma * axis[j] != mean[j] && domain_.is_real(j)) return {};
  }
  return {StopReason::noeffectaxis, "converged: a tenth of the standard deviation along an axis, " +
                                        short_text(0.1 * sigma * axis.norm()) + ", does not change the mean"};
}

bool RunDeviations::has_real_axis(const Distribution& distribution, const Vector& axis) {
  Vector deviations(axis.size());
  distribution.deviations(deviations);
  double along = 0;
  double all = 0;
  for (Index j = 0; j < axis.size(); ++j) {
    if (!domain_.is_real(j)) continue;
    const double part = distribution.sigma() * axis[j] / deviations[j];
    along += part * part;
    all += 1;
  }
  return along > 0.1 * all / static_cast<double>(axis.size());
}

double RunDeviations::largest_real_deviation() const {
  if (domain_.discrete().empty()) return deviations_.maxCoeff();
  double largest = 0;
  for (Index j = 0; j < deviations_.size(); ++j) {
    if (domain_.is_real(j)) largest = std::max(largest, deviations_[j]);
  }
  return largest;
}

double RunDeviations::largest_ratio() const {
  if (domain_.discrete().empty()) {
    return start_deviations_.size() == 1 ? deviations_.maxCoeff() / start_deviations_[0]
                                         : (deviations_.array() / start_deviations_.array()).maxCoeff();
  }
  double largest = 0;
  for (Index j = 0; j < deviations_.size(); ++j) {
    if (domain_.is_real(j)) {
      largest = std::max(largest, deviations_[j] / start_deviations_[start_deviations_.size() == 1 ? 0 : j]);
    }
  }
  return largest;
}

Stop RunDeviations::vanished(const Vector& mean) const {
  const double largest = largest_real_deviation();
  bool is_still = true;
  for (Index j = 0; j < mean.size() && is_still; ++j) {
    is_still = !domain_.is_real(j) || mean[j] + 0.2 * deviations_[j] == mean[j];
  }
  if (!(largest < smallest_deviation) && !is_still) return {};
  return {StopReason::vanished,
          "converged: standard deviations of at most " + short_text(largest) + " no longer move the mean"};
}

Stop RunDeviations::exploded() const {
  if (!(deviations_.maxCoeff() > largest_deviation)) return {};
  return {StopReason::exploded,
          "diverged: standard deviations up to " + short_text(deviations_.maxCoeff()) + " exceed 1e150"};
}

Stop RunDeviations::tolx() const {
  const double ratio = largest_ratio();
  if (options_.tolx <= 0 || !(ratio < options_.tolx)) return {};
  return {StopReason::tolx, "converged: standard deviations are at most " + short_text(ratio) +
                                " of the start's < tolx = " + short_text(options_.tolx)};
}

Stop RunDeviations::noeffectcoord(const Vector& mean) const {
  if (!options_.noeffectcoord) return {};
  for (Index j = 0; j < mean.size(); ++j) {
    if (mean[j] + 0.2 * deviations_[j] != mean[j] || !domain_.is_real(j)) continue;
    const std::string who = domain_.space().empty() ? "coordinate " + text(j) : domain_.name(j);
    return {StopReason::noeffectcoord, "converged: a fifth of the standard deviation of " + who + ", " +
                                           short_text(0.2 * deviations_[j]) + ", does not change its mean"};
  }
  return {};
}

double RunDeviations::condition_of(const Distribution& distribution) const {
  if (domain_.discrete().empty()) return distribution.frobenius_condition();
  const Start start = distribution.snapshot();
  if (!start.factor && !start.direction) return static_cast<double>(start.dimension());
  const Matrix root = start.factor ? *start.factor : Matrix(Eigen::LLT<Matrix>(start.covariance()).matrixL());
  const Matrix rows = scaled_rows(start.deviations.cwiseInverse(), root);
  return rows.norm() * solution(rows, Matrix::Identity(rows.rows(), rows.cols())).norm();
}

Stop RunDeviations::condition(const Distribution& distribution) const {
  const double product = condition_of(distribution);
  if (!(1 / product >= smallest_rcond)) {
    return {StopReason::lost_rank, "degenerate: the covariance is singular to working precision"};
  }
  const double condition = product / static_cast<double>(distribution.dimension());
  const double limit = options_.tolconditioncov.value_or(0);
  if (limit <= 0 || !(condition * condition > limit)) return {};
  return {StopReason::tolconditioncov, "degenerate: the covariance's condition is about " +
                                           short_text(condition * condition) +
                                           " > tolconditioncov = " + short_text(limit)};
}

}  // namespace surefoot
