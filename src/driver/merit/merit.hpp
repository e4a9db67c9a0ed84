#pragma once

#include <cstdint>
#include <memory>

#include "driver/domain/domain.hpp"
#include "surefoot/distribution.hpp"
#include "surefoot/generation.hpp"
#include "surefoot/measures.hpp"
#include "surefoot/options.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// What is ranked: f, or f together with how much a candidate violates something. It may learn from what it sees.
class Merit {
 public:
  Merit() = default;
  Merit(const Merit&) = delete;
  Merit(Merit&&) = delete;
  Merit& operator=(const Merit&) = delete;
  Merit& operator=(Merit&&) = delete;
  virtual ~Merit() = default;

  /// One number a candidate, the lower the better, where `f` are the values of a generation with `outcomes`. `points`
  /// are its points in search coordinates, drawn from `distribution`. Valid until the next call.
  virtual const Vector& of(const Vector& f, const Generation& outcomes, const Matrix& points,
                           const Distribution& distribution) = 0;

  /// The values of that generation by which a run's convergence is tested, where `f` are the objective's.
  [[nodiscard]] virtual const Vector& tested(const Vector& f) const { return f; }

  // With constraints.
  /// By how much f may be below the optimum at a point that counts as feasible.
  [[nodiscard]] virtual double slack() const { return 0; }
  /// Whether the merits of the last generation differed by rounding only.
  [[nodiscard]] virtual bool is_at_rounding() const { return false; }
  /// Whether a run may converge although it has seen no feasible point near its end.
  [[nodiscard]] virtual bool may_miss_feasible_points() const { return false; }
  /// From now on ranks by violations alone, or no longer.
  virtual void seek_feasibility(bool /*seeks*/) {}
  /// Whether the last generation, from which nothing was learned yet, says that a run should have twice the candidates.
  [[nodiscard]] virtual bool wants_larger_populations() const { return false; }
  /// Whether a candidate of the last generation was feasible.
  [[nodiscard]] virtual bool has_feasible() const { return true; }
  /// One a constraint; empty if it has none.
  [[nodiscard]] virtual Vector multipliers() const { return {}; }
  /// What it measures of the last generation.
  virtual void report(Measures& /*measures*/) const {}

  /// What it has learned, for checkpoints.
  virtual void visit(StateVisitor& /*visitor*/) {}
};

/// The merit of run 0, 1, ...: f alone, with what violations of constraints cost, with a penalty beyond bounds. The
/// domain must outlive it.
std::unique_ptr<Merit> make_merit(const Domain& domain, const Options& options, std::int64_t run);

}  // namespace surefoot
