#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/bbob_run.hpp"
#include "experiments/statistics.hpp"

namespace surefoot {

/// One problem of the suite.
struct BbobTask {
  int function = 1;
  Index dimension = 2;
  int instance = 1;
};

/// What one method did on all tasks, in their order.
struct BbobResults {
  std::string method;
  std::vector<BbobOutcome> outcomes;
};

/// The area under the ECDF of evaluations over log10(evaluations/d) from 0 to log10(budget), relative to its largest
/// possible value, and the share of targets that were hit.
struct BbobScore {
  double area = 0;
  double share = 0;
};

/// `budget` is in multiples of the dimension; later hits do not count.
BbobScore score(const BbobOutcome& outcome, Index dimension, double budget);

/// Which problems a number is about; empty: all.
struct BbobScope {
  std::optional<Index> dimension = {};
  std::optional<std::string> group = {};
  std::optional<int> function = {};

  [[nodiscard]] bool holds(const BbobTask& task) const;
};

/// An area up to another budget than that of the runs.
struct BbobAreaWithin {
  double budget = 0;
  Estimate area;
};

/// One object of summary.json: a method, or its difference to another on the same problems.
struct BbobRow {
  BbobScope scope;
  std::string method;
  std::optional<std::string> against;
  Estimate area;  // Errors are taken over instances, because those of one function are alike.
  Estimate share;
  std::vector<BbobAreaWithin> smaller;  // areas within the smaller budgets
};

/// 20, 100 and 500, those below `budget`: what the same runs had reached by then. A method that plans for its budget
/// might have done better with a smaller one.
std::vector<double> smaller_budgets(double budget);

/// For each target of each task the fewest evaluations of any method, as if the best one were known before.
BbobResults virtual_best(const std::vector<BbobResults>& results);
inline constexpr const char* virtual_best_name = "virtual best";

/// Every method in every scope, the virtual best of several, and every pair of methods: for all problems, each
/// dimension, group and function, and each dimension with each group and function.
std::vector<BbobRow> summarise(const std::vector<BbobTask>& tasks, const std::vector<BbobResults>& results,
                               double budget);

nlohmann::ordered_json to_json(const std::vector<BbobRow>& rows);

/// A curve: the share of all targets of all problems of a scope that were hit within this many evaluations/d.
struct BbobCurve {
  std::vector<double> evaluations;  // divided by d, equidistant logarithms
  std::vector<double> share;
};

BbobCurve ecdf(const BbobScope& scope, const std::vector<BbobTask>& tasks, const BbobResults& results, double budget);

/// The scopes of a list of tasks that have curves: each dimension with all groups and with each group.
std::vector<BbobScope> curve_scopes(const std::vector<BbobTask>& tasks);

}  // namespace surefoot
