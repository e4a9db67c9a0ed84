#pragma once

#include <cstdint>
#include <vector>

#include "surefoot/state_visitor.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// Difference of the 75th and the 25th percentile, with linear interpolation between the numbers.
double interquartile_range(Vector numbers);

/// An augmented Lagrangian whose multipliers gamma and penalty factors mu follow the search [Atamna2017]
/// [DufosseHansen2021], with the adaptation of pycma's AugmentedLagrangian (its default, id 0).
///
/// A candidate's fitness is f + sum_i pen_i, where mu_i = gamma_i = 0 at first: the first generation is ranked by f
/// alone. The formulas are in docs/explanation/constraints.md.
class AugmentedLagrangian {
 public:
  /// For d searched coordinates. `is_equality`: one a constraint.
  AugmentedLagrangian(Index dimension, std::vector<bool> is_equality);

  /// The fitness of candidates with values f and, one column a candidate, g. Infinity where one of them is not finite.
  /// Valid until the next call.
  const Vector& fitness(const Vector& f, const Matrix& g);
  /// The candidate of least fitness; -1 if none is finite.
  [[nodiscard]] Index reference() const { return reference_; }
  /// Learns from the generation that `fitness` has seen last.
  void learn(const Vector& f, const Matrix& g);

  [[nodiscard]] Index size() const { return static_cast<Index>(is_equality_.size()); }
  [[nodiscard]] const Vector& gamma() const { return gamma_; }
  [[nodiscard]] const Vector& mu() const { return mu_; }
  /// 1 for a constraint whose start values are settled, otherwise 0.
  [[nodiscard]] const Vector& initialised() const { return initialised_; }

  void visit(StateVisitor& visitor);

 private:
  [[nodiscard]] bool is_inequality(Index i) const { return !is_equality_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] double penalty(Index i, double g) const;
  /// Whether a value of constraint i is penalised.
  [[nodiscard]] bool touches(Index i, double g) const { return mu_[i] * g > -gamma_[i]; }
  void find_touched(const Matrix& g);
  [[nodiscard]] bool is_initialised() const;
  void initialise(const Vector& f, const Matrix& g);
  void initialise(Index i, double range_of_f, const Vector& g);
  void update(const Vector& g);
  void update(Index i, const Vector& g);
  void adapt_mu(Index i, int direction);
  void remember(const Vector& g);
  /// Share of negative values of constraint i among the recent references; zeros count one half.
  [[nodiscard]] double feasible_share(Index i) const;

  double dimension_;
  std::vector<bool> is_equality_;
  Vector gamma_, mu_, initialised_;
  Vector steps_;              // c_i: changes of mu_i of equal sign in a row, with this sign
  Matrix history_;            // the newest references, one per column, used in turn
  Vector previous_;           // the reference before; empty: none
  std::int64_t seen_ = 0;     // references
  std::int64_t updates_ = 0;  // n

  // Workspace.
  Vector fitness_;
  std::vector<Index> finite_;  // candidates with finite fitness
  std::vector<bool> touched_;
  Index reference_ = -1;
};

}  // namespace surefoot
