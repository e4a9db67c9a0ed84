#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "driver/merit/augmented_lagrangian.hpp"
#include "driver/merit/constraint_rules.hpp"
#include "driver/merit/merit.hpp"

namespace surefoot {

/// How candidates with constraints are ranked.
enum class ConstraintOrder {
  automatic,             // the next unless the first generation says that scales of constraints are too different;
                         // then the last, with violations in units of these scales
  augmented_lagrangian,  // by f and what violations cost at the present multipliers
  lexicographic,         // by the violation, then by f [Deb2000]
};

/// What is ranked where there are constraints; bounds come on top of it.
class ConstrainedMerit final : public Merit {
 public:
  /// Of a run with `dimension` search coordinates. `inner` makes the merit of what constraints make of f.
  ConstrainedMerit(const ConstraintRules& rules, ConstraintOrder order, Index dimension, std::unique_ptr<Merit> inner);

  const Vector& of(const Vector& f, const Generation& outcomes, const Matrix& points,
                   const Distribution& distribution) override;

  /// Fitness is not comparable between generations. So the values of a generation are moved such that the lowest is f
  /// of the best candidate: their range is that of the fitness, and their best is f.
  [[nodiscard]] const Vector& tested(const Vector& /*f*/) const override { return tested_; }
  [[nodiscard]] bool may_miss_feasible_points() const override {
    return order_ == ConstraintOrder::augmented_lagrangian && rules_.equalities == 0;
  }
  [[nodiscard]] double slack() const override;
  [[nodiscard]] bool is_at_rounding() const override { return is_at_rounding_; }
  void seek_feasibility(bool seeks) override { seeks_ = seeks; }
  [[nodiscard]] bool wants_larger_populations() const override { return has_found_scales_; }
  [[nodiscard]] bool has_feasible() const override { return feasible_ > 0; }
  [[nodiscard]] Vector multipliers() const override;
  void report(Measures& measures) const override;

  void visit(StateVisitor& visitor) override;

 private:
  void gather(const Vector& f, const Generation& outcomes);
  [[nodiscard]] Vector interquartile_ranges() const;
  void choose_order();
  void use_scales();
  const Vector& ranked(const Vector& f);
  const Vector& lagrangian(const Vector& f);
  void rank_lexicographically(const Vector& f);
  void rank_by_feasibility(const Vector& f);
  [[nodiscard]] static Index best_of(const Vector& merits);

  ConstraintRules rules_;
  ConstraintOrder order_;
  std::unique_ptr<Merit> inner_;
  AugmentedLagrangian lagrangian_;
  Vector scales_;       // that violations are divided by in the lexicographic order; empty: by none
  bool seeks_ = false;  // a feasible point, by the sum of squared violations, whatever f is there

  // The last generation.
  Matrix values_;      // of the constraints, one column a candidate
  Vector violations_;  // in units of the scales; infinity for candidates without finite values
  Vector merits_, tested_;
  Vector at_reference_;  // values of the constraints at the best candidate
  Index candidates_ = 0;
  Index feasible_ = 0;  // of them
  Index finite_ = 0;
  bool is_at_rounding_ = false;
  bool has_found_scales_ = false;
  std::vector<Index> sequence_;  // workspace
};

}  // namespace surefoot
