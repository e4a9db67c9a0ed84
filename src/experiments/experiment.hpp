#pragma once

/// \file
/// What all experiments have in common: a folder of results, jobs in parallel, and going on after an interruption.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace surefoot {

struct ExperimentProgress {
  std::size_t done = 0;  // jobs of this and earlier sessions
  std::size_t total = 0;
  double share = 0;  // of this session's expected work
};

/// Has jobs computed elsewhere and calls `done` with the number and result of each, one at a time.
using Spread = std::function<void(const std::vector<std::int64_t>& jobs,
                                  const std::function<void(std::int64_t, const std::string&)>& done)>;

struct ExperimentSettings {
  std::filesystem::path out = {};
  int threads = 1;
  /// Called after each job, from any thread but never by two at once.
  std::function<void(const ExperimentProgress&)> progress = {};
  Spread spread = {};  // instead of threads
};

/// Makes the folder this protocol's own, or refuses one that is another's.
/// \throws std::invalid_argument naming what differs.
void claim_folder(const std::filesystem::path& folder, const nlohmann::ordered_json& protocol);

/// Everything that is to be done, numbered.
struct Jobs {
  std::vector<double> work;                                        // expected, in any unit
  std::function<bool(std::size_t)> is_done;                        // by this or an earlier session
  std::function<void(std::size_t)> run_once;                       // from any thread
  std::function<void(std::size_t, const std::string&)> keep = {};  // what a job gave elsewhere; only with a Spread
};

/// Runs the jobs that are not done; true if all are.
bool run_missing(const Jobs& jobs, const ExperimentSettings& settings, const std::atomic<bool>& interrupted);

/// The seed of one trial, from the experiment's seed and the trial's name alone, so that a restricted experiment
/// repeats trials of the full one. Below 2^53, so that spreadsheets and scripting languages read it without loss.
std::uint64_t seed_of(std::uint64_t seed, const std::string& name);

/// Six digits are more than a picture shows.
std::vector<double> rounded_for_display(std::vector<double> values);

}  // namespace surefoot
