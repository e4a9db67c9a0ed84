#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/checkpoint/journal.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {

/// How often a checkpoint is written: in generations or seconds.
struct CheckpointInterval {
  std::optional<std::int64_t> generations = {};
  double seconds = 1;
};

/// "20" generations or "5s".
/// \throws std::invalid_argument for anything else.
CheckpointInterval parse_interval(const std::string& given);

/// From some generation on another program was asked.
struct Replacement {
  std::int64_t generation = 0;
  std::string objective;
};

/// What a checkpoint file holds.
struct Checkpoint {
  std::string about;           // whatever its writer needs to set the search up again
  std::string objective = {};  // what was minimised, in the writer's words; empty: not told
  std::vector<Replacement> replacements = {};
  std::string state = {};
  std::uint64_t sum = 0;  // of all that, once it was written or read: it tells which journal follows
};

/// \throws std::invalid_argument naming the file and what is wrong with it.
Checkpoint read_checkpoint(const std::filesystem::path& file);

/// Writes a checkpoint and returns its sum.
/// \throws std::runtime_error if it cannot be written.
std::uint64_t write_checkpoint(const std::filesystem::path& file, Checkpoint& checkpoint);

/// Keeps a search on disk, so that killing the process at any moment loses the evaluations in flight and nothing else.
///
/// FILE is a whole state, written now and then and at the end. In between every finished evaluation is appended to
/// FILE.journal. A resumed search repeats the generations since FILE from the journal without evaluating anything.
/// A disk that is full does not end the search: the next checkpoint is tried in time.
class Checkpointer {
 public:
  /// `first` has everything but the state. `sync_outputs` is called before each checkpoint: what it says of other files
  /// must be on the disk before.
  Checkpointer(std::filesystem::path file, const CheckpointInterval& interval, Checkpoint first,
               std::function<void()> sync_outputs = {});

  /// Takes a search, which has been set to the state of the checkpoint with this sum, to the end of the journal.
  /// `repeated` is called for each outcome.
  void replay(Optimizer& search, std::uint64_t sum, const std::function<void(Index)>& repeated = {}) {
    journal_.replay(search, sum, repeated);
  }

  /// Writes the first checkpoint and watches the search from now on, which must outlive this object or its `release`.
  /// \throws std::runtime_error if it cannot be written.
  /// `first` is called for each outcome, before the journal has it.
  void watch(Optimizer& search, std::function<void(Index)> first = {});

  /// The caller's values for the current generation, before the search learns from them.
  void note(const std::vector<Outcome>& told);

  /// To be called between generations. `must_save`: the journal knows nothing of the last one, whose points were
  /// others than those asked for.
  void after_generation(bool must_save = false);

  /// Writes a last checkpoint and no longer watches the search.
  void release();

  /// From the next generation on another objective is asked.
  void replace_objective(std::int64_t generation, std::string objective);
  [[nodiscard]] const std::vector<Replacement>& replacements() const { return checkpoint_.replacements; }

  /// Why the last checkpoint could not be written; empty if it could.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  void save();
  void try_to_save();

  std::filesystem::path file_;
  CheckpointInterval interval_;
  Checkpoint checkpoint_;
  std::function<void()> sync_outputs_;
  Journal journal_;
  Optimizer* search_ = nullptr;
  std::chrono::steady_clock::time_point last_;
  std::int64_t last_nit_ = 0;
  std::string trouble_;
};

}  // namespace surefoot
