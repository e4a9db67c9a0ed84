#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "surefoot/optimizer.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// One finished evaluation, in a journal.
struct JournalEntry {
  std::int64_t generation = 0;  // generations told before
  std::int64_t candidate = 0;
  std::int64_t point = 0;  // sum of its coordinates' bytes: with another budget a generation may be another one
  std::int64_t attempts = 0;
  Vector values;  // f first; NaN: failed
  std::int64_t kind = 0;
  std::string reason;

  void visit(StateVisitor& visitor);
};

/// Every finished evaluation since the last checkpoint, in FILE.journal.
///
///     "surefoot journal 1\n"
///     uint64  checksum of the checkpoint that it follows, and so of its search
///     entries: uint64 length, uint64 CRC-64/XZ of the header and the payload, payload
///
/// An entry that is torn, or zeros as a power cut may leave them, is the end of the journal. What was written survives
/// the death of the process at once, and a power cut after a second.
class Journal {
 public:
  /// `checkpoint` is FILE.
  explicit Journal(const std::filesystem::path& checkpoint);

  /// \throws std::invalid_argument if there is a file of this name that is not a journal.
  void require_ours() const;

  /// Empties it: what it held is part of the checkpoint of this checksum now. If the process dies before this, the old
  /// entries, which follow another checkpoint, are passed over by `replay`. Evaluations that `replay` could not use
  /// stay.
  /// \throws std::runtime_error naming the file and the system's reason.
  void restart(std::uint64_t follows);

  /// Appends what has become of a candidate of the search's generation. On a full disk it does nothing until the next
  /// `restart`: the checkpoint will have it.
  void note(Optimizer& search, Index candidate);
  /// The same for an outcome that the search is about to receive.
  void note(Optimizer& search, Index candidate, const Outcome& told);

  /// Takes a search, which has been set to the state of the checkpoint of this checksum, through what the journal
  /// knows. What is beyond the end of the search, as with a smaller budget, is kept for a later one.
  /// `repeated` is called for each outcome that the present generation gets from it.
  void replay(Optimizer& search, std::uint64_t follows, const std::function<void(Index)>& repeated = {});

 private:
  void write(const JournalEntry& entry);

  struct Close {  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): this is the owner
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::string header() const;
  void read(std::uint64_t follows);
  bool repeat(Generation& generation, Index constraints, const std::function<void(Index)>& repeated);

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t follows_ = 0;
  std::uint64_t seed_ = 0;         // of the entries' checksums
  std::deque<JournalEntry> left_;  // read and not used yet
  Clock::time_point synced_;
};

}  // namespace surefoot
