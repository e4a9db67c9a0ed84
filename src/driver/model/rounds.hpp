#pragma once

#include <vector>

#include "driver/domain/domain.hpp"
#include "driver/model/surrogate.hpp"
#include "surefoot/failure.hpp"
#include "surefoot/generation.hpp"

namespace surefoot {

/// Generations of a run with a model. Each begins with a population that the model has changed a little, and is
/// evaluated in rounds until the model can rank the rest. All points are search coordinates. A copy is an independent
/// state.
class Rounds {
 public:
  /// The domain must outlive it.
  Rounds(const Domain& domain, Index popsize, const SurrogateRules& rules);

  /// A point that was evaluated outside of any generation.
  void remember(const Vector& x, double f) { surrogate_.remember(x, f); }

  /// Begins a generation with a population that was sampled from the distribution.
  void begin(const Matrix& sampled, const Distribution& distribution);

  /// Whether a generation has begun and still needs values.
  [[nodiscard]] bool is_within() const { return !surrogate_.is_complete(); }
  /// Whether some of its values are there.
  [[nodiscard]] bool has_begun() const { return is_within() && surrogate_.evaluated() > 0; }
  /// Candidates of this round or, between generations, of the next one's first.
  [[nodiscard]] Index size() const;
  /// The points of this round; the first ones, if there is room for fewer.
  [[nodiscard]] Matrix points(Index count) const;

  /// Candidate k of the round has been evaluated at another point.
  void replace(Index k, const Vector& x);
  /// Values of a whole round.
  void take(const Vector& values, const std::vector<Failure>& failures);

  // The generation, complete or not.
  [[nodiscard]] const Matrix& population() const { return population_; }
  /// Its columns that differ from the samples.
  [[nodiscard]] std::vector<Index> changed() const;
  /// All of it with outcomes; of a complete one.
  void write_outcomes(Generation& generation) const;
  /// Failures of the rounds that were taken, by the number in the population.
  [[nodiscard]] const std::vector<Failure>& failures() const { return failures_; }
  /// The same of the present round.
  [[nodiscard]] std::vector<Failure> in_population(const std::vector<Failure>& failures) const;

  [[nodiscard]] const Surrogate& surrogate() const { return surrogate_; }

  void visit(StateVisitor& visitor);

 private:
  [[nodiscard]] Matrix projected() const;
  void visit_failures(StateVisitor& visitor);

  const Domain* domain_;
  Surrogate surrogate_;
  Matrix population_;
  Vector is_changed_;  // 0 or 1, one per candidate
  std::vector<Failure> failures_;
};

}  // namespace surefoot
