#pragma once

#include <vector>

#include "core/discrete/value_grid.hpp"
#include "surefoot/distribution.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// How one discrete coordinate is corrected: a new mean, a factor of its standard deviation, and the probability with
/// which a sample then leaves the mean's value.
struct MarginStep {
  double mean;
  double factor;
  double p;
};

/// The margin of one coordinate, all in u: `s` is its standard deviation, `alpha` the least probability of leaving the
/// mean's value, `p` the probability that it had after the last correction. Without success of another value the
/// probability may grow by a factor of 1.3 at most.
///
/// The margin is that of [Hamano2022]. Its form is our own: it acts on the coordinate's standard deviation, so on a row
/// of B, in place of a second matrix, and it remembers the probability, as [Hamano2025] does.
MarginStep margin_step(const ValueGrid& grid, double mean, double s, double alpha, bool has_success, double p);

/// Keeps the discrete coordinates of a search alive: as a distribution narrows, a sample still takes another than the
/// mean's value with probability alpha = 1/(d popsize), d being the coordinates of the search, real ones included.
/// See docs/how-to/parameters.md.
class Margin {
 public:
  /// The coordinates must outlive it.
  explicit Margin(const std::vector<DiscreteCoordinate>& coordinates);

  [[nodiscard]] bool empty() const { return coordinates_.empty(); }

  /// Notes for each coordinate whether one of the better half of a population has another value than the mean's. Before
  /// the update, since the mean is the old one.
  void note_successes(const Matrix& points, const Vector& merits, const Vector& mean);
  /// A generation from which nothing is learned.
  void note_no_success();

  /// What the distribution needs after its update: a shift of the mean and factors of the standard deviations. Says
  /// whether there is anything to correct.
  bool correction(const Distribution& distribution, Index popsize, Vector& shift, Vector& factors);

  /// Whether no coordinate leaves its value more often than the margin makes it.
  [[nodiscard]] bool has_settled(Index dimension, Index popsize) const;

  /// Probabilities of leaving the mean's value, after the last correction.
  [[nodiscard]] const Vector& probabilities() const { return p_; }
  [[nodiscard]] const Vector& successes() const { return has_success_; }

  void visit(StateVisitor& visitor);

 private:
  const std::vector<DiscreteCoordinate>& coordinates_;
  Vector p_;
  Vector has_success_;  // 0 or 1

  // Workspace.
  std::vector<Index> order_;
  Vector deviations_;
};

}  // namespace surefoot
