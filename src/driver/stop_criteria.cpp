#include "driver/stop_criteria.hpp"

#include <cmath>

namespace surefoot {
namespace {

// Squares of distances leave the range of doubles beyond these.
constexpr double smallest_deviation = 1e-150;
constexpr double largest_deviation = 1e150;

// Reciprocal condition of B at which solving with it leaves no correct digit.
constexpr double smallest_rcond = 1e-15;

/// No coordinate of the mean changes when a fifth of its standard deviation is added.
bool vanished(const Vector& mean, const Vector& deviations) {
  return deviations.maxCoeff() < smallest_deviation || (mean.array() + 0.2 * deviations.array() == mean.array()).all();
}

bool exploded(const Vector& deviations) { return deviations.maxCoeff() > largest_deviation; }

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

StopReason cheap_degeneracy(const Strategy& strategy) {
  if (!strategy.finite()) return StopReason::non_finite;
  if (!(strategy.distribution().sigma > 0)) return StopReason::vanished;
  return StopReason::none;
}

DegeneracyTest::DegeneracyTest(Index d) : inverse_(d), inverse_transposed_(d, d), deviations_(d) {}

StopReason DegeneracyTest::operator()(const SearchDistribution& distribution) {
  const auto& [mean, sigma, B] = distribution;
  deviations_.setZero();
  for (Index j = 0; j < B.cols(); ++j) deviations_ += B.col(j).cwiseAbs2();
  deviations_ = sigma * deviations_.cwiseSqrt();
  if (vanished(mean, deviations_)) return StopReason::vanished;
  if (exploded(deviations_)) return StopReason::exploded;
  if (!(rcond(B) >= smallest_rcond)) return StopReason::lost_rank;
  return StopReason::none;
}

double DegeneracyTest::rcond(const Matrix& B) {
  inverse_.transposed(B, inverse_transposed_);
  return 1 / (B.norm() * inverse_transposed_.norm());
}

}  // namespace surefoot
