#include "core/rank_information.hpp"

#include <cmath>
#include <numbers>

namespace surefoot {
namespace {

/// The value below which a standard normal lies with probability p, by Newton's method on the distribution function.
double normal_quantile(double p) {
  double x = 0;
  for (int i = 0; i < 60; ++i) {
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    const double excess = std::erfc(-x / std::numbers::sqrt2) / 2 - p;
    const double step = excess / density;
    x -= std::fmin(std::fmax(step, -1), 1);  // a full step from far outside would overshoot
    if (std::abs(step) < 1e-14) break;
  }
  return x;
}

double normal_density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }

}  // namespace

RankInformation rank_information(const Vector& w) {
  const auto n = static_cast<double>(w.size());
  double mean = 0;         // sum w_i e_i, e_i = E z_(i) [Blom1958]
  double squares = 0;      // sum (w_i e_i)^2
  double covariances = 0;  // sum_{i < j} w_i w_j p_i (1 - p_j)/(phi_i phi_j) [DavidJohnson1954]
  double lower = 0;        // sum_{i < j} w_i p_i/phi_i
  for (Index k = 0; k < w.size(); ++k) {
    const auto i = static_cast<double>(k + 1);
    const double we = w[k] * normal_quantile((i - 0.375) / (n + 0.25));
    mean += we;
    squares += we * we;
    const double p = i / (n + 1);
    const double phi = normal_density(normal_quantile(p));
    covariances += w[k] * (1 - p) / phi * lower;
    lower += w[k] * p / phi;
  }
  return {-mean, (mean * mean - squares + 2 * covariances / (n + 2)) / w.squaredNorm()};
}

}  // namespace surefoot
