#include "driver/stop_criteria.hpp"

#include <Eigen/LU>
#include <cmath>

namespace surefoot {
namespace {

// Squares of distances leave the range of doubles beyond these.
constexpr double smallest_deviation = 1e-150;
constexpr double largest_deviation = 1e150;

// Reciprocal condition of B at which solving with it leaves no correct digit.
constexpr double smallest_rcond = 1e-15;

/// Zero times NaN or infinity is NaN, so the sum tells in one vectorised pass; allFinite() takes several times as long.
bool finite(const Matrix& A) { return (0 * A.array()).sum() == 0; }

bool non_finite(const SearchDistribution& distribution) {
  return !distribution.mean.allFinite() || !std::isfinite(distribution.sigma) || !finite(distribution.B);
}

/// No coordinate of the mean changes when a fifth of its standard deviation is added.
bool vanished(const Vector& mean, const Vector& deviations) {
  return deviations.maxCoeff() < smallest_deviation || (mean.array() + 0.2 * deviations.array() == mean.array()).all();
}

bool exploded(const Vector& deviations) { return deviations.maxCoeff() > largest_deviation; }

bool lost_rank(const Matrix& B) { return Eigen::PartialPivLU<Matrix>(B).rcond() < smallest_rcond; }

}  // namespace

std::string_view name(StopReason reason) {
  switch (reason) {
    case StopReason::none: return "none";
    case StopReason::ftarget: return "ftarget";
    case StopReason::maxfevals: return "maxfevals";
    case StopReason::maxiter: return "maxiter";
    case StopReason::vanished: return "vanished";
    case StopReason::exploded: return "exploded";
    case StopReason::lost_rank: return "lost_rank";
    case StopReason::non_finite: return "non_finite";
  }
  return "none";
}

StopReason cheap_degeneracy(const SearchDistribution& distribution) {
  if (non_finite(distribution)) return StopReason::non_finite;
  if (!(distribution.sigma > 0)) return StopReason::vanished;
  return StopReason::none;
}

StopReason full_degeneracy(const SearchDistribution& distribution) {
  const Vector deviations = distribution.standard_deviations();
  if (vanished(distribution.mean, deviations)) return StopReason::vanished;
  if (exploded(deviations)) return StopReason::exploded;
  if (lost_rank(distribution.B)) return StopReason::lost_rank;
  return StopReason::none;
}

}  // namespace surefoot
