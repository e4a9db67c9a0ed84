#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/bbob_summary.hpp"
#include "experiments/experiment.hpp"

namespace surefoot {

/// What is to be run; decides every byte of the results.
struct BbobProtocol {
  std::vector<std::string> methods = {"auto"};
  std::vector<int> functions = {};  // empty: all 24
  std::vector<Index> dimensions = {2, 3, 5, 10, 20, 40};
  std::vector<int> instances = {1, 2, 3, 4, 5};
  std::int64_t budget = 2000;  // evaluations, in multiples of the dimension
  std::uint64_t seed = 1;
};

struct BbobBench {
  bool complete = false;  // false: interrupted, what is finished is kept
  std::vector<BbobRow> summary;
};

/// Runs what is missing in the folder and writes runs.csv, summary.json and report.html; with a folder for it, also
/// COCO's data, one folder for each method.
/// \throws std::invalid_argument for what the suite does not have, or if the folder holds results of another protocol.
BbobBench bench_bbob(const BbobProtocol& protocol, const ExperimentSettings& settings,
                     const std::filesystem::path& coco_data, const std::atomic<bool>& interrupted);

}  // namespace surefoot
