#include "core/ranking/rank_information.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary/elementary.hpp"

namespace surefoot {

/// By Newton's method on the distribution function.
double normal_quantile(double p) {
  double x = 0;
  for (int i = 0; i < 60; ++i) {
    const double density = elementary::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    const double step = (elementary::erfc(-x / std::numbers::sqrt2) / 2 - p) / density;
    x -= std::clamp(step, -1.0, 1.0);  // a full step from far outside would overshoot
    if (std::abs(step) < 1e-15) break;
  }
  return x;
}

RankInformation rank_information(const Vector& w) {
  const auto n = static_cast<double>(w.size());
  double sum = 0;
  double squares = 0;
  for (Index i = 0; i < w.size(); ++i) {
    const double term = w[i] * normal_quantile((static_cast<double>(i + 1) - 0.375) / (n + 0.25));
    sum += term;
    squares += term * term;
  }
  return {-sum, (sum * sum - squares) / w.squaredNorm()};
}

}  // namespace surefoot
