#pragma once

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

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

/// Keeps a search on disk, so that killing the process at any moment loses the evaluations in flight and nothing else.
///
/// FILE is a whole state, written now and then and at the end. In between every finished evaluation is appended to
/// FILE.journal, which the operating system keeps when the process dies. A resumed search repeats the generations since
/// FILE from the journal without evaluating anything.
class Checkpointer {
 public:
  /// `about` is stored beside the state: whatever the caller needs to set the search up again.
  Checkpointer(std::filesystem::path file, const CheckpointInterval& interval, std::string about);

  /// Writes the first checkpoint and watches the search from now on, which must outlive this object.
  void watch(Optimizer& search);

  /// To be called between generations.
  void after_generation();

  /// Writes a checkpoint now.
  void save();

 private:
  void note(Index candidate);
  void open_journal();

  struct Close {  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): this is the owner
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };

  std::filesystem::path file_;
  CheckpointInterval interval_;
  std::string about_;
  Optimizer* search_ = nullptr;
  std::chrono::steady_clock::time_point last_;
  std::int64_t last_nit_ = 0;
  std::unique_ptr<std::FILE, Close> journal_;
};

/// What a checkpoint file holds.
struct Checkpoint {
  std::string about;
  std::string state;
};

/// \throws std::invalid_argument naming the file and what is wrong with it.
Checkpoint read_checkpoint(const std::filesystem::path& file);

/// Takes a search, which has been set to a checkpoint's state, through what the checkpoint's journal knows.
void replay_journal(const std::filesystem::path& file, Optimizer& search);

}  // namespace surefoot
