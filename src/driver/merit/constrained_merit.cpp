#include "driver/merit/constrained_merit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "core/visit_count.hpp"
#include "surefoot/outcome.hpp"

namespace surefoot {
namespace {

constexpr double worst = std::numeric_limits<double>::infinity();

std::vector<bool> equality_flags(const ConstraintRules& rules) {
  std::vector<bool> flags(static_cast<std::size_t>(rules.size()));
  for (Index i = 0; i < rules.size(); ++i) flags[static_cast<std::size_t>(i)] = rules.is_equality(i);
  return flags;
}

/// Whether there are several finite numbers, all of them equal.
bool is_flat(const Vector& numbers) {
  double first = worst;
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    if (first != worst && number != first) return false;
    first = number;
  }
  return first != worst;
}

/// Whether several finite numbers lie within some roundings of the lowest.
bool has_rounding_only(const Vector& numbers, double lowest) {
  constexpr double roundings = 64 * std::numeric_limits<double>::epsilon();
  Index count = 0;
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    ++count;
    if (number - lowest > roundings * std::abs(lowest)) return false;
  }
  return count > 1;
}

}  // namespace

ConstrainedMerit::ConstrainedMerit(const ConstraintRules& rules, ConstraintOrder order, Index dimension,
                                   std::unique_ptr<Merit> inner)
    : rules_(rules),
      order_(order),
      inner_(std::move(inner)),
      lagrangian_(dimension, equality_flags(rules)),
      at_reference_(Vector::Constant(rules.size(), std::numeric_limits<double>::quiet_NaN())) {}

const Vector& ConstrainedMerit::of(const Vector& f, const Generation& outcomes, const Matrix& points,
                                   const Distribution& distribution) {
  gather(f, outcomes);
  is_at_rounding_ = has_found_scales_ = false;
  if (order_ == ConstraintOrder::automatic && finite_ > 1) choose_order();
  return inner_->of(ranked(f), outcomes, points, distribution);
}

/// Candidates that failed, and those that are infeasible beyond measure, have an infinite violation.
void ConstrainedMerit::gather(const Vector& f, const Generation& outcomes) {
  values_.setConstant(rules_.size(), f.size(), worst);
  violations_.setConstant(f.size(), worst);
  for (Index k = 0; k < f.size(); ++k) {
    const std::vector<double>& values = outcomes.outcome(k).constraints;
    if (!is_finite(f[k]) || static_cast<Index>(values.size()) != rules_.size()) continue;
    std::copy(values.begin(), values.end(), values_.col(k).begin());
    violations_[k] = rules_.violation(values);
  }
  use_scales();
  candidates_ = violations_.size();
  feasible_ = (violations_.array() == 0).count();
  finite_ = (violations_.array() < worst).count();
}

/// A sum of raw violations would see only the constraint with the largest numbers.
void ConstrainedMerit::use_scales() {
  if (scales_.size() == 0) return;
  for (Index k = 0; k < violations_.size(); ++k) {
    if (violations_[k] == worst || violations_[k] == 0) continue;
    violations_[k] = 0;
    for (Index i = 0; i < rules_.size(); ++i) violations_[k] += rules_.excess(i, values_(i, k)) / scales_[i];
  }
}

Vector ConstrainedMerit::interquartile_ranges() const {
  Vector ranges(rules_.size());
  for (Index i = 0; i < rules_.size(); ++i) {
    Vector finite(finite_);
    Index next = 0;
    for (Index k = 0; k < violations_.size(); ++k) {
      if (violations_[k] < worst) finite[next++] = values_(i, k);
    }
    ranges[i] = interquartile_range(std::move(finite));
  }
  return ranges;
}

/// Penalty factors of constraints whose scales are far apart take too long to find theirs. The threshold is ours
/// (docs/explanation/constraints.md). A constraint that is the same everywhere has no scale.
void ConstrainedMerit::choose_order() {
  constexpr double most_different = 1e4;
  order_ = ConstraintOrder::augmented_lagrangian;
  if (rules_.equalities > 0) return;
  Vector ranges = interquartile_ranges();
  double least = worst;
  for (const double range : ranges) {
    if (range > 0) least = std::min(least, range);
  }
  if (!(ranges.maxCoeff() > most_different * least)) return;
  for (double& range : ranges) range = range > 0 ? range : 1;
  order_ = ConstraintOrder::lexicographic;
  scales_ = std::move(ranges);
  has_found_scales_ = true;
  use_scales();
}

/// Where all are worth the same to the Lagrangian, as with a constant f, the violation decides.
const Vector& ConstrainedMerit::ranked(const Vector& f) {
  const bool is_lagrangian = !seeks_ && order_ != ConstraintOrder::lexicographic;
  if (is_lagrangian && !is_flat(lagrangian(f))) return merits_;
  if (seeks_) {
    rank_by_feasibility(f);
  } else {
    rank_lexicographically(f);
  }
  const Index best = best_of(merits_);
  if (best >= 0) at_reference_ = values_.col(best);
  return merits_;
}

const Vector& ConstrainedMerit::lagrangian(const Vector& f) {
  merits_ = lagrangian_.fitness(f, values_);
  tested_ = merits_;
  const Index best = lagrangian_.reference();
  if (best < 0) return merits_;
  at_reference_ = values_.col(best);
  is_at_rounding_ = has_rounding_only(merits_, merits_[best]);
  tested_.array() += -merits_[best];  // first of all, so that the best is f to the last bit
  tested_.array() += f[best];
  lagrangian_.learn(f, values_);
  return merits_;
}

/// Numbers of the order, 0 for the best; equal ones share theirs. Until there is a feasible candidate, convergence is
/// that of the violation.
void ConstrainedMerit::rank_lexicographically(const Vector& f) {
  const auto is_before = [&](Index a, Index b) {
    return violations_[a] != violations_[b] ? violations_[a] < violations_[b] : f[a] < f[b];
  };
  sequence_.clear();
  for (Index k = 0; k < f.size(); ++k) {
    if (violations_[k] < worst) sequence_.push_back(k);
  }
  std::sort(sequence_.begin(), sequence_.end(), is_before);
  merits_.setConstant(f.size(), worst);
  for (std::size_t k = 0; k < sequence_.size(); ++k) {
    const bool is_tie = k > 0 && !is_before(sequence_[k - 1], sequence_[k]);
    merits_[sequence_[k]] = is_tie ? merits_[sequence_[k - 1]] : static_cast<double>(k);
  }
  tested_.setConstant(f.size(), worst);
  for (Index k = 0; k < f.size(); ++k) {
    if (violations_[k] == worst) continue;
    const bool counts = feasible_ == 0 || violations_[k] == 0;
    if (counts) tested_[k] = feasible_ == 0 ? violations_[k] : f[k];
  }
}

void ConstrainedMerit::rank_by_feasibility(const Vector& f) {
  merits_.setConstant(f.size(), worst);
  for (Index k = 0; k < f.size(); ++k) {
    if (violations_[k] == worst) continue;
    merits_[k] = 0;
    for (Index i = 0; i < rules_.size(); ++i) {
      const double excess = rules_.excess(i, values_(i, k));
      merits_[k] += excess * excess;
    }
  }
  tested_ = merits_;
}

Index ConstrainedMerit::best_of(const Vector& merits) {
  Index best = -1;
  for (Index k = 0; k < merits.size(); ++k) {
    if (std::isfinite(merits[k]) && (best < 0 || merits[k] < merits[best])) best = k;
  }
  return best;
}

Vector ConstrainedMerit::multipliers() const {
  return order_ == ConstraintOrder::augmented_lagrangian ? lagrangian_.gamma() : Vector();
}

/// The multiplier says what a violation within the tolerance is worth; twice, for it is an estimate.
double ConstrainedMerit::slack() const {
  if (order_ == ConstraintOrder::lexicographic) return 0;
  return 2 * rules_.tolerance * lagrangian_.gamma().tail(rules_.equalities).cwiseAbs().sum();
}

void ConstrainedMerit::report(Measures& measures) const {
  measures.add("feasible", candidates_ > 0 ? static_cast<double>(feasible_) / static_cast<double>(candidates_) : 0);
  const bool is_lagrangian = order_ == ConstraintOrder::augmented_lagrangian;
  for (Index i = 0; i < rules_.size(); ++i) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const std::string name = rules_.symbol(i);
    measures.add(name, at_reference_[i]);
    measures.add("multiplier " + name, is_lagrangian ? lagrangian_.gamma()[i] : none);
    measures.add("penalty " + name, is_lagrangian ? lagrangian_.mu()[i] : none);
  }
}

void ConstrainedMerit::visit(StateVisitor& visitor) {
  auto seeks = static_cast<std::int64_t>(seeks_);
  auto order = static_cast<std::int64_t>(order_);
  visitor.integer("order by constraints", order);
  if (order < 0 || order > static_cast<std::int64_t>(ConstraintOrder::lexicographic)) {
    reject("checkpoint: order by constraints", order, "there is none of this number");
  }
  order_ = static_cast<ConstraintOrder>(order);
  visitor.integer("seeks feasibility", seeks);
  seeks_ = seeks != 0;
  if (visitor.is_restoring()) scales_.resize(0);
  visitor.vector("scales of constraints", scales_);
  if (scales_.size() != 0 && (scales_.size() != rules_.size() || !(scales_.array() > 0).all())) {
    throw std::invalid_argument("checkpoint: the scales of the constraints make no sense");
  }
  lagrangian_.visit(visitor);
  visitor.vector("constraints at reference", at_reference_);
  visit_count(visitor, "candidates with constraints", candidates_);
  visit_count(visitor, "feasible candidates", feasible_);
  inner_->visit(visitor);
}

}  // namespace surefoot
