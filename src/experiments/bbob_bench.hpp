#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/bbob_summary.hpp"
#include "experiments/jobs.hpp"

namespace surefoot {

/// What is to be run. It decides every byte of the results.
struct BbobProtocol {
  std::vector<std::string> methods = {"auto"};
  std::vector<int> functions = {};  // empty: all 24
  std::vector<Index> dimensions = {2, 3, 5, 10, 20, 40};
  std::vector<int> instances = {1, 2, 3, 4, 5};
  std::int64_t budget = 2000;  // evaluations, in multiples of the dimension
  std::uint64_t seed = 1;
};

struct BbobBench {
  bool complete = false;  // False: interrupted; what is finished is kept.
  std::vector<BbobRow> summary;
};

/// Computes one search of the benchmark by its number, with COCO's data and its trace if they are wanted.
/// \throws std::invalid_argument for what the suite does not have.
Compute bbob_compute(const BbobProtocol& request, bool with_coco_data, bool with_trace = false);

/// For each search the command that repeats it alone, with its trace.
/// \throws std::invalid_argument for what the suite does not have.
std::vector<std::string> bbob_commands(const BbobProtocol& request);

/// Runs what is missing in the folder and writes runs.csv, summary.json and report.html; with a folder for it, also
/// COCO's data, one folder for each method, and traces in traces/METHOD of the folder. The settings' workers compute
/// with `bbob_compute`.
/// \throws std::invalid_argument for what the suite does not have, or if the folder holds results of another protocol.
BbobBench bench_bbob(const BbobProtocol& request, const ExperimentSettings& settings,
                     const std::filesystem::path& coco_data, bool with_traces = false);

}  // namespace surefoot
