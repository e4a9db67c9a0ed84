#pragma once

/// \file
/// An evolution strategy: sample a population, learn from its ranking.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/learning_rate.hpp"
#include "surefoot/normal_source.hpp"
#include "surefoot/search_distribution.hpp"

namespace surefoot {

/// Mathematics only: a strategy does not evaluate, count, stop or print.
class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy(Strategy&&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  Strategy& operator=(Strategy&&) = delete;
  virtual ~Strategy() = default;

  [[nodiscard]] virtual Index popsize() const = 0;
  /// What the next population is drawn from.
  [[nodiscard]] virtual const SearchDistribution& distribution() const = 0;

  /// The population of one generation, d x popsize, one candidate a column.
  virtual const Matrix& ask(std::uint64_t generation, NormalSource& normals) = 0;

  /// Learns from the values of candidates, which may differ from those that `ask` gave. Values that are not finite
  /// rank last; without any finite value the state stays as it is.
  virtual void tell(const Matrix& candidates, const Vector& values) = 0;

  /// Moves the mean and multiplies the standard deviations of the coordinates: what bounds, plateaus and ground without
  /// any value ask for.
  virtual void correct(const Vector& shift, const Vector& factors) = 0;

  /// Whether the present population looks at a smaller scale than the distribution's: that its values are equal says
  /// nothing about the distribution.
  [[nodiscard]] virtual bool is_probing() const { return false; }

  /// Whether every number of the distribution is finite.
  [[nodiscard]] virtual bool finite() const = 0;

  /// Rates of the next generation: of the mean, of the step size and of the shape.
  [[nodiscard]] virtual LearningRates rates() const = 0;
  /// Empty for a strategy that keeps no path of the covariance.
  [[nodiscard]] virtual std::optional<PathLength> path() const = 0;

  virtual void visit(StateVisitor& visitor) = 0;
};

/// How xNES computes its update of B. Both routes give the same result to rounding.
enum class ShapeRoute {
  automatic,  // the faster one
  dense,      // d x d matrices, O(d^3)
  low_rank,   // the matrix of samples, O(d^2 popsize)
};

/// What a strategy is built from.
struct StrategyContext {
  SearchDistribution start;
  std::optional<Index> popsize = {};  // empty: the strategy's default
  LearningRate learning_rate = {};    // of natural evolution strategies; others refuse all but auto
  bool observed = false;
  ShapeRoute route = ShapeRoute::automatic;
  std::optional<std::int64_t> budget = {};  // evaluations planned for the run
};

/// 4 + floor(3 ln d).
Index default_popsize(Index dimension);

/// \throws std::invalid_argument for an unknown name, with the names there are.
std::unique_ptr<Strategy> make_strategy(const std::string& method, StrategyContext context);

/// One row of the table of strategies.
struct StrategyInfo {
  std::string name;
  std::string summary;
  std::string citation;  // key in docs/bibliography.md
};

const std::vector<StrategyInfo>& strategy_table();

}  // namespace surefoot
