#pragma once

#include <vector>

#include "experiments/jobs.hpp"
#include "experiments/protocol.hpp"
#include "experiments/verdict.hpp"

namespace surefoot {

/// What a finished reproduction shows.
struct Reproduction {
  bool complete = false;  // False: interrupted; what is finished is kept.
  std::vector<CellSummary> summary;
  std::vector<Verdict> verdicts;
};

/// Computes one job of `reproduce` by its number.
Compute reproduction_compute(const Protocol& protocol);

/// Runs what is missing of the protocol in the folder and writes trials.csv, traces/, summary.json and report.html. The
/// settings' workers compute with `reproduction_compute`.
/// \throws std::invalid_argument if the folder holds results of another protocol.
Reproduction reproduce(const Protocol& protocol, const ExperimentSettings& settings);

}  // namespace surefoot
