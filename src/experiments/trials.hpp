#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/protocol.hpp"
#include "experiments/row_file.hpp"
#include "experiments/statistics.hpp"

namespace surefoot {

/// One row of trials.csv.
struct Trial {
  Cell cell;
  int number = 0;
  std::uint64_t seed = 0;
  TrialOutcome outcome;
  std::string stop_reason;
};

/// Runs one trial of a cell as the paper does.
Trial run_trial(const Cell& cell, int number, std::uint64_t protocol_seed);

/// The fields of a trial's row behind the columns that name it.
std::string row_fields(const Trial& trial);

/// The file trials.csv.
class TrialFile {
 public:
  TrialFile(const std::filesystem::path& path, const Protocol& protocol);

  [[nodiscard]] bool has(std::size_t cell, int number) const { return rows_.has(job(cell, number)); }

  void add(std::size_t cell, int number, const std::string& row_fields) { rows_.add(job(cell, number), row_fields); }

  /// Sorts the file.
  void finish() { rows_.finish(); }

  /// Outcomes of a cell, by trial number.
  [[nodiscard]] std::vector<TrialOutcome> outcomes(std::size_t cell) const;

 private:
  [[nodiscard]] std::size_t job(std::size_t cell, int number) const {
    return first_job_[cell] + static_cast<std::size_t>(number);
  }

  std::vector<std::size_t> first_job_;  // The first job of each cell, and the number of all jobs.
  RowFile rows_;
};

}  // namespace surefoot
