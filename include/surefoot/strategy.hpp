#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// An evolution strategy: sample a population, learn from its ranking.

#include <cstdint>
#include <span>

#include "surefoot/distribution.hpp"
#include "surefoot/measures.hpp"
#include "surefoot/normal_source.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// A population with its values. References are valid only during the call.
struct Told {
  const Matrix& points;                 // one per column, as many as `ask` returned
  const Vector& values;                 // those that are not finite rank last
  std::span<const Index> changed = {};  // columns that differ from those of `ask`
};

/// Mathematics only: a strategy does not evaluate, count, stop or print.
class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy(Strategy&&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  Strategy& operator=(Strategy&&) = delete;
  virtual ~Strategy() = default;

  /// Candidates of the next population. It may change from generation to generation.
  [[nodiscard]] virtual Index popsize() const = 0;
  /// What the next population is drawn from.
  [[nodiscard]] virtual const Distribution& distribution() const = 0;

  /// The population of one generation, d x popsize, one candidate per column. Unchanged until the next call.
  virtual const Matrix& ask(std::uint64_t generation, NormalSource& normals) = 0;

  /// Learns from the last population. Without a finite value the state does not change.
  virtual void tell(const Told& told) = 0;

  /// Moves the mean and multiplies the standard deviations of the coordinates. Called for bounds, plateaus and
  /// generations without a finite value.
  virtual void correct(const Vector& shift, const Vector& factors) = 0;

  /// Called before the first population if some coordinates are discrete: values will often be equal, and standard
  /// deviations will differ by many orders of magnitude.
  virtual void expect_discrete() {}

  /// Whether the current population samples at a smaller scale than the distribution. Equal values then say nothing
  /// about the distribution.
  [[nodiscard]] virtual bool is_probing() const { return false; }

  /// The learning rate of the mean. Where it is low, a generation does less, and tests for stagnation wait longer.
  [[nodiscard]] virtual double pace() const { return 1; }

  /// What the method measures or sets, under the symbols of its paper: "eta_B", "l_theta", ...
  virtual void report(Measures& /*measures*/) const {}
  [[nodiscard]] Measures measures() const;

  /// All of the state, for whoever compares, saves or restores it.
  virtual void visit(StateVisitor& visitor) = 0;
};

inline Measures Strategy::measures() const {
  Measures all;
  report(all);
  return all;
}

}  // namespace surefoot
