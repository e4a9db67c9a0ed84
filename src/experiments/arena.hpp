#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/arena_summary.hpp"
#include "experiments/jobs.hpp"

namespace surefoot {

/// What is to be run. It decides every byte of the results.
struct ArenaProtocol {
  std::vector<std::string> methods = {"auto", "cma", "s3-lra"};
  std::vector<std::string> functions = {};  // empty: all
  std::vector<Index> dimensions = {2, 3, 5, 10, 20, 40};
  std::vector<std::string> popsizes = {"default", "3x"};
  std::optional<int> trials = {};  // of a block; empty: 25, and 10 above dimension 20
  int blocks = 3;                  // of trials, whose numbers are compared
  std::string against = {};        // the method that ratios refer to; empty: cma if it takes part, or the first
  std::uint64_t seed = 1;
};

struct Arena {
  bool complete = false;  // False: interrupted; what is finished is kept.
  std::string against;
  ArenaReport report;
};

/// Computes one trial of the arena by its number. \throws std::invalid_argument for what the arena does not have.
Compute arena_compute(const ArenaProtocol& request);

/// Runs what is missing in the folder and writes trials.csv, traces/, summary.json and report.html. The settings'
/// workers compute with `arena_compute`.
/// \throws std::invalid_argument for what the arena does not have, or if the folder holds results of another protocol.
Arena run_arena(const ArenaProtocol& request, const ExperimentSettings& settings);

}  // namespace surefoot
