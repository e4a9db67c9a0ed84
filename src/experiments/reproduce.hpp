#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"
#include "experiments/protocol.hpp"
#include "experiments/verdict.hpp"

namespace surefoot {

/// What a finished reproduction shows.
struct Reproduction {
  bool complete = false;  // false: interrupted, what is finished is kept
  std::vector<CellSummary> summary;
  std::vector<Verdict> verdicts;
};

/// Computes one job of `reproduce` by its number, for ExperimentSettings::spread; from any thread, without files.
std::function<std::string(std::int64_t)> reproduction_work(const Protocol& protocol);

/// Runs what is missing of the protocol in the folder and writes trials.csv, traces/, summary.json and report.html.
/// \throws std::invalid_argument if the folder holds results of another protocol.
Reproduction reproduce(const Protocol& protocol, const ExperimentSettings& settings,
                       const std::atomic<bool>& interrupted);

}  // namespace surefoot
