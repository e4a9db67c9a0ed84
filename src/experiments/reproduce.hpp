#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <vector>

#include "experiments/protocol.hpp"
#include "experiments/verdict.hpp"

namespace surefoot {

struct ReproduceProgress {
  std::size_t done = 0;  // trials and typical runs, of this and earlier sessions
  std::size_t total = 0;
  double share = 0;  // of this session's expected work
};

struct ReproduceSettings {
  std::filesystem::path out;
  int threads = 1;
  /// Called after each trial, from any thread but never by two at once.
  std::function<void(const ReproduceProgress&)> progress = {};
};

/// What a finished reproduction shows.
struct Reproduction {
  bool complete = false;  // false: interrupted, what is finished is kept
  std::vector<CellSummary> summary;
  std::vector<Verdict> verdicts;
};

/// Runs what is missing of the protocol in the folder and writes trials.csv, traces/, summary.json and report.html.
/// \throws std::invalid_argument if the folder holds results of another protocol.
Reproduction reproduce(const Protocol& protocol, const ReproduceSettings& settings,
                       const std::atomic<bool>& interrupted);

}  // namespace surefoot
