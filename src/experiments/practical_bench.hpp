#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/jobs.hpp"
#include "experiments/practical_summary.hpp"

namespace surefoot {

/// What is to be run. It decides every byte of the results.
struct PracticalProtocol {
  std::vector<std::string> methods = {"auto"};
  std::vector<std::string> problems = {};      // empty: all
  std::vector<int> budgets = {20, 100, 1000};  // evaluations of a search, in multiples of the dimension
  int seeds = 10;                              // searches of each
  std::uint64_t seed = 1;
};

struct PracticalBench {
  bool complete = false;  // False: interrupted; what is finished is kept.
  std::vector<PracticalRow> summary;
  std::vector<PracticalVerdict> verdicts;
};

/// Computes one search of the benchmark by its number. \throws std::invalid_argument for what there is not.
Compute practical_compute(const PracticalProtocol& request);

/// Runs what is missing in the folder and writes runs.csv, summary.json and report.html. The settings' workers compute
/// with `practical_compute`. `peers`, if not empty, is a file like runs.csv with other programs' runs, for comparison
/// with ours.
/// \throws std::invalid_argument for what there is not, or if the folder holds results of another protocol.
PracticalBench bench_practical(const PracticalProtocol& request, const ExperimentSettings& settings,
                               const std::filesystem::path& peers);

}  // namespace surefoot
