#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/statistics.hpp"
#include "surefoot/practical.hpp"

namespace surefoot {

/// One search that every method does.
struct PracticalTask {
  const PracticalProblem* problem = nullptr;
  int budget = 0;  // in multiples of the dimension
  int seed = 1;    // 1, 2, ...
};

/// What one method found, task by task; nothing where it was not run.
struct PracticalResults {
  std::string method;
  std::vector<std::optional<double>> best;
};

/// Regrets that count as a success: (f - best known)/(typical - best known) of at most so much.
struct PracticalTolerance {
  double value;
  const char* text;
};
inline constexpr std::array<PracticalTolerance, 2> practical_tolerances = {{{1e-2, "1 %"}, {1e-4, "1e-4"}}};

/// One object of summary.json. The error is taken over seeds.
struct PracticalRow {
  std::string method;
  int budget = 0;
  std::optional<std::string> problem;                        // empty: all
  std::array<Estimate, practical_tolerances.size()> within;  // share of the runs
  double median_regret = 0;
};

/// Every method at every budget that it was run at, on all problems and on each.
std::vector<PracticalRow> summarise(const std::vector<PracticalTask>& tasks,
                                    const std::vector<PracticalResults>& results);

nlohmann::ordered_json to_json(const std::vector<PracticalRow>& rows);

/// Who has most successes at each budget and tolerance, one sentence each. Methods whose difference on the same
/// problems and seeds is at most two standard errors are said to be equal.
struct PracticalVerdict {
  int budget = 0;
  std::string sentence;
};
std::vector<PracticalVerdict> verdicts(const std::vector<PracticalTask>& tasks,
                                       const std::vector<PracticalResults>& results);

/// "35.3 +- 1.2 %".
std::string percent_text(const Estimate& share);

}  // namespace surefoot
