#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "experiments/protocol.hpp"
#include "experiments/statistics.hpp"

namespace surefoot {

/// One row of trials.csv.
struct Trial {
  Cell cell;
  int number = 0;
  std::uint64_t seed = 0;
  Outcome outcome;
  std::string stop_reason;
};

/// Runs one trial of a cell as the paper does.
Trial run_trial(const Cell& cell, int number, std::uint64_t protocol_seed);

/// trials.csv: a journal while trials are running, in the order in which they end; sorted when all are done. A row
/// counts when its line is complete, so a killed run loses only the trials in flight.
class TrialFile {
 public:
  TrialFile(std::filesystem::path path, const Protocol& protocol);

  [[nodiscard]] bool has(std::size_t cell, int number) const;

  /// Appends a row; may be called from several threads.
  void add(std::size_t cell, const Trial& trial);

  /// Writes all rows in the order of the protocol. Call when no thread adds any more.
  void finish();

  [[nodiscard]] std::size_t size() const;

  /// Outcomes of a cell, by trial number.
  [[nodiscard]] std::vector<Outcome> outcomes(std::size_t cell) const;

 private:
  void load();

  std::filesystem::path path_;
  const Protocol& protocol_;
  mutable std::mutex mutex_;
  std::vector<std::map<int, Trial>> trials_;  // by cell of the protocol, then by number
  std::ofstream journal_;
};

}  // namespace surefoot
