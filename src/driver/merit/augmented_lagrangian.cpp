#include "driver/merit/augmented_lagrangian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "core/visit_count.hpp"

namespace surefoot {
namespace {

// Constants of pycma's default.
constexpr double damping_of_gamma = 5;   // d_gamma
constexpr double share_to_raise = 0.95;  // p_up
constexpr double share_to_lower = 0.9;   // p_down
constexpr double one_sided = 0.8;        // |s_i| from which a population counts as on one side of a constraint

// Without a feasible point mu grows for ever. Ours: what is beyond would only leave the range of doubles.
constexpr double largest_mu = 1e100;

/// K, the references that count for the share of feasible ones.
Index horizon(Index dimension) { return 5 + dimension; }

/// The p-quantile of sorted numbers, with linear interpolation between them.
double quantile(const Vector& sorted, Index count, double p) {
  const double position = p * static_cast<double>(count - 1);
  const auto below = static_cast<Index>(position);
  const double rest = position - static_cast<double>(below);
  return below + 1 < count ? sorted[below] + rest * (sorted[below + 1] - sorted[below]) : sorted[below];
}

}  // namespace

double interquartile_range(Vector numbers) {
  std::sort(numbers.begin(), numbers.end());
  return quantile(numbers, numbers.size(), 0.75) - quantile(numbers, numbers.size(), 0.25);
}

AugmentedLagrangian::AugmentedLagrangian(Index dimension, std::vector<bool> is_equality)
    : dimension_(static_cast<double>(dimension)),
      is_equality_(std::move(is_equality)),
      gamma_(Vector::Zero(size())),
      mu_(Vector::Zero(size())),
      initialised_(Vector::Zero(size())),
      steps_(Vector::Zero(size())),
      history_(Matrix::Zero(size(), horizon(dimension))),
      touched_(is_equality_.size()) {}

/// gamma_i t + mu_i t^2/2, which is never below its value where the constraint stops to count.
double AugmentedLagrangian::penalty(Index i, double g) const {
  const double t = is_inequality(i) && mu_[i] * g < -gamma_[i] ? -gamma_[i] / mu_[i] : g;
  return gamma_[i] * t + mu_[i] * t * t / 2;
}

const Vector& AugmentedLagrangian::fitness(const Vector& f, const Matrix& g) {
  fitness_ = f;
  finite_.clear();
  reference_ = -1;
  for (Index k = 0; k < f.size(); ++k) {
    if (std::isfinite(f[k]) && g.col(k).allFinite()) {
      for (Index i = 0; i < size(); ++i) fitness_[k] += penalty(i, g(i, k));
    } else {
      fitness_[k] = std::numeric_limits<double>::infinity();
    }
    if (!std::isfinite(fitness_[k])) continue;
    finite_.push_back(k);
    if (reference_ < 0 || fitness_[k] < fitness_[reference_]) reference_ = k;
  }
  return fitness_;
}

void AugmentedLagrangian::learn(const Vector& f, const Matrix& g) {
  if (reference_ < 0) return;
  find_touched(g);
  if (!is_initialised() && finite_.size() > 1) initialise(f, g);
  update(g.col(reference_));
}

/// With the coefficients that the fitness was computed with.
void AugmentedLagrangian::find_touched(const Matrix& g) {
  for (Index i = 0; i < size(); ++i) {
    touched_[static_cast<std::size_t>(i)] =
        std::any_of(finite_.begin(), finite_.end(), [&](Index k) { return touches(i, g(i, k)); });
  }
}

bool AugmentedLagrangian::is_initialised() const { return (initialised_.array() > 0 && mu_.array() > 0).all(); }

void AugmentedLagrangian::initialise(const Vector& f, const Matrix& g) {
  const auto gather = [&](const auto& value) -> Vector {
    return Vector::NullaryExpr(static_cast<Index>(finite_.size()),
                               [&](Index k) { return value(finite_[static_cast<std::size_t>(k)]); });
  };
  const double range_of_f = interquartile_range(gather([&](Index k) { return f[k]; }));
  for (Index i = 0; i < size(); ++i) {
    if (initialised_[i] == 0 || mu_[i] == 0) initialise(i, range_of_f, gather([&](Index k) { return g(i, k); }));
  }
}

/// Again in each generation until the population lies on both sides of the constraint, or for d + 3 updates.
void AugmentedLagrangian::initialise(Index i, double range_of_f, const Vector& g) {
  const auto violated = static_cast<double>((g.array() > 0).count());
  const double side = 2 * violated / static_cast<double>(g.size()) - 1;  // s_i
  if (is_inequality(i) && side <= -one_sided) return;
  const double range = interquartile_range(g);
  const double range_of_squares = interquartile_range(g.cwiseAbs2());
  const double least = 1e-11 * (range_of_f + 1);
  mu_[i] = std::min(largest_mu, 0.4 * range_of_f / dimension_ / (range + 1e-6 * range_of_squares + least));
  if (is_inequality(i)) gamma_[i] = range_of_f / (dimension_ * range + least);
  if (std::abs(side) < one_sided || static_cast<double>(updates_) > dimension_ + 2) initialised_[i] = 1;
}

void AugmentedLagrangian::update(const Vector& g) {
  remember(g);
  const bool is_first = previous_.size() == 0 || (mu_.array() == 0).all();
  if (!is_first) {
    for (Index i = 0; i < size(); ++i) {
      if (mu_[i] > 0) update(i, g);
    }
    ++updates_;
  }
  previous_ = g;
}

void AugmentedLagrangian::update(Index i, const Vector& g) {
  const bool is_touched = touched_[static_cast<std::size_t>(i)] || touches(i, g[i]) || touches(i, previous_[i]);
  if (!is_inequality(i) || is_touched) gamma_[i] += mu_[i] * g[i] / damping_of_gamma;
  if (is_inequality(i) && gamma_[i] < 0) {
    gamma_[i] = 0;
    return;
  }
  if (is_inequality(i) && mu_[i] * g[i] < -gamma_[i]) return;
  const double share = feasible_share(i);
  const bool is_too_soft = g[i] > 0 || (touches(i, g[i]) && share > share_to_raise);
  if (is_too_soft) {
    adapt_mu(i, 1);
  } else if (g[i] < 0 && share < share_to_lower) {
    adapt_mu(i, -1);
  }
}

/// Several changes of the same sign in a row become larger.
void AugmentedLagrangian::adapt_mu(Index i, int direction) {
  const double patience = 2 + static_cast<double>(size());  // W
  if (direction * steps_[i] < 0) steps_[i] = 0;
  steps_[i] += direction;
  const double beyond = std::clamp(std::abs(steps_[i]) - patience, 0.0, patience);
  const double haste = 4 / patience * beyond;  // e
  const double exponent = direction * (1 + haste) / 4 / (5 * dimension_);
  mu_[i] = std::min(largest_mu, mu_[i] * elementary::pow(2.0, exponent));
}

void AugmentedLagrangian::remember(const Vector& g) {
  history_.col(static_cast<Index>(seen_ % history_.cols())) = g;
  ++seen_;
}

double AugmentedLagrangian::feasible_share(Index i) const {
  const auto count = static_cast<Index>(std::min<std::int64_t>(seen_, history_.cols()));
  const auto recent = history_.row(i).head(count).array();
  const auto negative = static_cast<double>((recent < 0).count());
  const auto zero = static_cast<double>((recent == 0).count());
  return (negative + zero / 2) / static_cast<double>(count);
}

void AugmentedLagrangian::visit(StateVisitor& visitor) {
  visitor.vector("gamma of constraints", gamma_);
  visitor.vector("mu of constraints", mu_);
  visitor.vector("initialised constraints", initialised_);
  visitor.vector("steps of mu", steps_);
  visitor.matrix("reference constraints", history_);
  if (visitor.is_restoring()) previous_.resize(0);
  visitor.vector("previous constraints", previous_);
  visit_count(visitor, "seen references", seen_);
  visit_count(visitor, "updates of multipliers", updates_);
  if (previous_.size() != 0 && previous_.size() != size()) {
    reject("checkpoint: previous constraints", "a list of " + text(previous_.size()), "it must be " + text(size()));
  }
}

}  // namespace surefoot
