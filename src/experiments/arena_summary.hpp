#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/arena_trial.hpp"
#include "experiments/statistics.hpp"

namespace surefoot {

/// All trials of one method in one cell, block after block.
struct ArenaResult {
  ArenaCell cell;
  std::string method;
  int blocks = 1;
  std::vector<ArenaOutcome> outcomes;
};

/// One method in one cell.
struct ArenaSummary {
  ArenaCell cell;
  std::string method;
  int trials = 0;
  double success_rate = 0;
  std::optional<double> evaluations_per_success = {};
  std::optional<Interval> interval = {};
  std::optional<double> ratio = {};  // of the evaluations per success, to the chosen method's
  double median_distance = 0;
  Interval growth;  // of sigma: smallest and largest
  double largest_drift = 0;
  // Medians of the average rates, relative to the lowest ones that the trial saw.
  double eta_m = 0;
  double eta_sigma = 0;
  double eta_B = 0;
};

/// One method on all unimodal functions of a dimension and popsize, against the chosen one.
struct ArenaGroup {
  Index dimension = 0;
  std::string popsize;
  std::string method;
  std::vector<double> ratios = {};    // geometric mean over functions where both succeed, one number for each block
  std::optional<double> median = {};  // of the blocks
  double worst = 0;                   // largest ratio of a function
  std::string worst_function = {};
  int cells = 0;
  int faster = 0;
  int failures = 0;  // functions on which a trial fails and none of the chosen method's does
};

struct ArenaReport {
  std::vector<ArenaSummary> cells;
  std::vector<ArenaGroup> groups;
};

/// `against` is the method that the ratios refer to.
ArenaReport summarise(const std::vector<ArenaResult>& results, const std::string& against);

nlohmann::ordered_json to_json(const ArenaReport& report);

}  // namespace surefoot
