#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// The table of methods: all strategies, and how to make one.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/executor.hpp"
#include "surefoot/learning_rate.hpp"
#include "surefoot/start.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot {

/// How xNES computes its update of B. Both routes give the same result to rounding.
enum class ShapeRoute {
  automatic,  // the faster one
  dense,      // d x d matrices, O(d^3)
  low_rank,   // the matrix of samples, O(d^2 popsize)
};

/// What a strategy is built from.
struct StrategyContext {
  Start start;
  std::optional<Index> popsize = {};  // empty: the method's default
  LearningRate learning_rate = {};    // of methods that take one; others refuse all but auto
  bool observed = false;              // an observer reads the measures
  ShapeRoute route = ShapeRoute::automatic;
  std::optional<std::int64_t> budget = {};  // evaluations planned for the run
  std::shared_ptr<Executor> executor = {};  // of xnes, ig-xnes and methods of linear scale; null: one thread
};

/// Makes a method of your own, once for each run. The context has a popsize, and a learning rate for those who take
/// one.
using StrategyFactory = std::function<std::unique_ptr<Strategy>(const StrategyContext&)>;

/// 4 + floor(3 ln d), the default of most methods.
Index default_popsize(Index dimension);

/// How memory and time of a generation grow per candidate.
enum class Scale { linear, quadratic };
std::string_view name(Scale scale);

/// One row of the table of methods. Lists, tests, replays and documents iterate over the rows.
struct MethodInfo {
  std::string name;
  std::string summary;
  std::string citation;   // key in docs/reference/bibliography.md
  std::string keys = {};  // constants that may follow the name, as in snes:eta_sigma=0.1
  Scale scale = Scale::quadratic;
  bool takes_learning_rate = false;
  bool wants_even_popsize = false;
  std::optional<double> mixing = {};  // of methods that take the option: its default
  bool sets_popsize = false;          // it changes from generation to generation, and never falls below the given one
  Index smallest_dimension = 0;
  Index (*default_popsize)(Index dimension) = surefoot::default_popsize;
  Index (*smallest_popsize)(Index dimension) = [](Index) { return Index{2}; };
  Index (*largest_popsize)(Index dimension) = [](Index) { return std::numeric_limits<Index>::max(); };
  /// `text` is the name with its constants, name:key=value;key=value.
  std::unique_ptr<Strategy> (*make)(const std::string& text, const StrategyContext& context) = nullptr;
  /// The distribution of a saved strategy, whose state begins with it.
  Start (*read_start)(StateVisitor& state) = nullptr;

  /// The nearest usable size, rounded up.
  [[nodiscard]] Index fitting_popsize(Index popsize, Index dimension) const {
    const Index whole = wants_even_popsize ? popsize + popsize % 2 : popsize;
    return std::max(smallest_popsize(dimension), std::min(whole, largest_popsize(dimension)));
  }
};

/// Every method. `auto` is not among them: it stands for one of them.
const std::vector<MethodInfo>& method_table();

/// The row of a text such as `cma` or `snes:eta_sigma=0.1`.
/// \throws std::invalid_argument for an unknown name; the message lists the known ones.
const MethodInfo& find_method(const std::string& method);

/// What `auto` looks at.
struct SearchKind {
  bool is_discrete = false;     // some parameters are integers, values of a grid or choices
  bool is_constrained = false;  // candidates are ranked by more than f
  bool is_mixed = false;        // option mixing is given
  bool has_short_runs = false;  // a model shortens the runs and restarts follow, so patience is not needed
  Index dimension = 1;
};

/// A method with the policy of its learning rates.
struct ChosenMethod {
  std::string method;
  LearningRate learning_rate;
};

/// The largest dimension in which `auto` takes a method with a full covariance.
constexpr Index largest_full_dimension = 1000;

/// What `auto` stands for, as a method and as a learning rate. Nothing else decides this.
/// \throws std::invalid_argument if the two exclude each other, or for an unknown name.
ChosenMethod choose_method(const std::string& method, const LearningRate& learning_rate, const SearchKind& kind = {});
/// A sentence about `auto`, for lists.
std::string_view summary_of_auto();

/// `method` may be `auto`, and may be followed by constants.
/// \throws std::invalid_argument for an unknown name or key; the message lists the known ones.
std::unique_ptr<Strategy> make_strategy(const std::string& method, StrategyContext context);

}  // namespace surefoot
