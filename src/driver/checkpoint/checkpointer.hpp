#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "driver/checkpoint/journal.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {

/// How often a checkpoint is written: every so many generations or seconds.
struct CheckpointInterval {
  std::optional<std::int64_t> generations = {};
  double seconds = 1;
};

/// "20" generations or "5s".
/// \throws std::invalid_argument for anything else.
CheckpointInterval parse_interval(const std::string& text);

/// What a checkpoint file holds.
struct Checkpoint {
  std::string about;      // whatever its writer needs to set the search up again
  std::string objective;  // what was minimised, in the writer's words; empty: not told
  std::string state;
};

/// \throws std::invalid_argument naming the file and what is wrong with it.
Checkpoint read_checkpoint(const std::filesystem::path& file);

/// Keeps a search on disk, so that killing the process at any moment loses the evaluations in flight and nothing else.
///
/// FILE is a whole state, written now and then and at the end. In between every finished evaluation is appended to
/// FILE.journal. A resumed search repeats the generations since FILE from the journal without evaluating anything.
class Checkpointer {
 public:
  Checkpointer(std::filesystem::path file, const CheckpointInterval& interval, std::string about,
               std::string objective = {});

  /// Writes the first checkpoint and watches the search from now on, which must outlive this object or its `release`.
  void watch(Optimizer& search);

  /// To be called between generations.
  void after_generation();

  /// Writes a checkpoint now.
  void save();

  /// Writes a last checkpoint and no longer watches the search.
  void release();

 private:
  std::filesystem::path file_;
  CheckpointInterval interval_;
  Checkpoint checkpoint_;
  Journal journal_;
  Optimizer* search_ = nullptr;
  std::chrono::steady_clock::time_point last_;
  std::int64_t last_nit_ = 0;
};

}  // namespace surefoot
