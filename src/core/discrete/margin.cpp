#include "core/discrete/margin.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary/elementary.hpp"
#include "core/ranking/rank_information.hpp"
#include "surefoot/outcome.hpp"

namespace surefoot {
namespace {

constexpr double smallest_p = 1e-8;
constexpr double largest_p = 0.5 - smallest_p;

// Of 1, 1.05, 1.2, 1.3, 1.4, 1.5 and 2, chosen on spheres and ellipsoids with integers and bits: 1 is slow where bits
// depend on each other, 2 forgets too fast for ellipsoids.
constexpr double growth = 1.3;

/// Probability that a standard normal exceeds x.
double tail(double x) { return elementary::erfc(x / std::numbers::sqrt2) / 2; }

/// What a standard normal exceeds with probability p.
double upper_quantile(double p) { return -normal_quantile(p); }

/// Beyond the last value there is nothing: the mean is moved, and with p = alpha it lies on the value itself.
MarginStep outermost_step(double value, double t, double mean, double s, double alpha, bool has_success, double p) {
  double q = std::max(tail(std::abs(t - mean) / s), alpha);
  if (!has_success) q = std::min(q, growth * p);
  q = std::clamp(q, smallest_p, largest_p);
  const double factor = std::max(1.0, std::abs(value - t) / (upper_quantile(alpha) * s));
  const double side = value < t ? -1 : 1;
  return {t + side * upper_quantile(q) * s * factor, factor, q};
}

/// Mean and standard deviation for which the probabilities below l and above u are as wanted.
MarginStep inner_step(double l, double u, double mean, double s, double alpha, bool has_success, double p) {
  const double p_l = tail((mean - l) / s);
  const double p_u = tail((u - mean) / s);
  const double p_m = 1 - p_l - p_u;
  const double q_l = std::max(p_l, alpha / 2);
  const double q_u = std::max(p_u, alpha / 2);
  const double c = has_success ? alpha / 2 : 1 - std::min(growth * p, largest_p);
  const double q_m = has_success ? p_m : std::max(p_m, c);
  const double sum = q_l + q_u + q_m;
  const double room = sum - alpha - c;
  const double share = std::abs(room) < 1e-12 ? 0 : (1 - sum) / room;
  const double r_l = std::clamp(q_l + share * (q_l - alpha / 2), smallest_p, largest_p);
  const double r_u = std::clamp(q_u + share * (q_u - alpha / 2), smallest_p, largest_p);
  if (std::abs(r_l - p_l) <= 1e-12 && std::abs(r_u - p_u) <= 1e-12) return {mean, 1, r_l + r_u};
  const double a = upper_quantile(r_l);
  const double b = upper_quantile(r_u);
  return {(l * b + u * a) / (a + b), (u - l) / ((a + b) * s), r_l + r_u};
}

}  // namespace

MarginStep margin_step(const ValueGrid& grid, double mean, double s, double alpha, bool has_success, double p) {
  if (!(s > 0) || !std::isfinite(s) || !std::isfinite(mean)) return {mean, 1, p};
  const std::int64_t k = grid.cell(mean);
  if (k == grid.first()) {
    return outermost_step(grid.position(k), grid.threshold(k), mean, s, alpha, has_success, p);
  }
  if (k == grid.last()) {
    return outermost_step(grid.position(k), grid.threshold(k - 1), mean, s, alpha, has_success, p);
  }
  return inner_step(grid.threshold(k - 1), grid.threshold(k), mean, s, alpha, has_success, p);
}

Margin::Margin(const std::vector<DiscreteCoordinate>& coordinates)
    : coordinates_(coordinates),
      p_(Vector::Constant(static_cast<Index>(coordinates.size()), largest_p)),
      has_success_(Vector::Zero(static_cast<Index>(coordinates.size()))) {}

void Margin::note_successes(const Matrix& points, const Vector& merits, const Vector& mean) {
  if (empty()) return;
  order_.clear();
  for (Index i = 0; i < merits.size(); ++i) {
    if (is_finite(merits[i])) order_.push_back(i);
  }
  std::stable_sort(order_.begin(), order_.end(), [&](Index a, Index b) { return merits[a] < merits[b]; });
  if (static_cast<Index>(order_.size()) > merits.size() / 2) order_.resize(static_cast<std::size_t>(merits.size() / 2));
  for (std::size_t n = 0; n < coordinates_.size(); ++n) {
    const auto& [j, unit, grid] = coordinates_[n];
    const std::int64_t home = grid.cell(unit * mean[j]);
    const bool has_left = std::any_of(order_.begin(), order_.end(), [&, j = j, unit = unit, &grid = grid](Index i) {
      return grid.cell(unit * points(j, i)) != home;
    });
    has_success_[static_cast<Index>(n)] = has_left ? 1 : 0;
  }
}

void Margin::note_no_success() { has_success_.setZero(); }

bool Margin::correction(const Distribution& distribution, Index popsize, Vector& shift, Vector& factors) {
  const Index d = distribution.dimension();
  const double alpha = 1 / (static_cast<double>(d) * static_cast<double>(popsize));
  distribution.deviations(deviations_);
  shift.setZero(d);
  factors.setOnes(d);
  bool changes = false;
  for (std::size_t n = 0; n < coordinates_.size(); ++n) {
    const auto& [j, unit, grid] = coordinates_[n];
    const auto i = static_cast<Index>(n);
    const double mean = distribution.mean()[j];
    const MarginStep step = margin_step(grid, unit * mean, unit * deviations_[j], alpha, has_success_[i] != 0, p_[i]);
    p_[i] = step.p;
    shift[j] = step.mean == unit * mean ? 0 : step.mean / unit - mean;
    factors[j] = step.factor;
    changes = changes || shift[j] != 0 || step.factor != 1;
  }
  return changes;
}

bool Margin::has_settled(Index dimension, Index popsize) const {
  const double alpha = 1 / (static_cast<double>(dimension) * static_cast<double>(popsize));
  return empty() || p_.maxCoeff() <= 2 * alpha;
}

void Margin::visit(StateVisitor& visitor) {
  visitor.vector("p", p_);
  visitor.vector("success", has_success_);
}

}  // namespace surefoot
