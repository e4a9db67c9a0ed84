#pragma once

/// \file
/// External programs as objective functions: several processes at a time, served by one thread.
///
/// A program runs in a process group of its own, which is killed when the program ends, exceeds its time or is
/// cancelled. It also dies with the thread that started it (PR_SET_PDEATHSIG), even if that one is killed with -9.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace surefoot {

/// How one evaluation by an external program ended.
struct ProgramOutcome {
  enum class Kind {
    finished,     ///< exit status 0, or an answer of a persistent program
    not_started,  ///< not found, not executable, no such directory: `errors` says which
    crashed,      ///< ended by a signal
    exited,       ///< exit status other than 0; a persistent program: ended before it answered
    timed_out,    ///< killed after ProgramLimits::timeout_seconds
    unasked,      ///< a persistent program that has just started printed `output` before it had read its whole line
    cancelled     ///< killed, or never started, because of an interruption
  };

  Kind kind = Kind::cancelled;
  int status = 0;  ///< exit status, number of the signal, or errno if not started; -1 if unknown
  std::string
      output;  ///< standard output: the last 64 KiB, from the start of a line; or the answer without its newline
  std::string errors;  ///< standard error: the last 4 KiB, from the start of a line; or why it could not be run
};

/// One evaluation.
struct ProgramJob {
  std::vector<std::string> arguments;          ///< the first is the program, searched in PATH as execvp does; no shell
  std::string input;                           ///< standard input, closed after it
  std::filesystem::path directory;             ///< where the program runs; empty: the caller's working directory
  std::vector<std::string> environment = {};   ///< NAME=VALUE, beside the caller's
  std::vector<std::string> input_files = {};   ///< in the directory: what was written for the program, for accounts
  std::vector<std::string> output_files = {};  ///< what the program is to write
  std::string defect = {};                     ///< why it cannot be started, as on a full disk; empty if it can
};

struct ProgramLimits {
  int workers = 1;                        ///< programs at a time; less than 1 means 1
  std::optional<double> timeout_seconds;  ///< for one evaluation; none: a program may take forever
};

/// Receives the outcome of each job as it ends, in any order. It may throw: everything that runs is killed then.
using ProgramDone = std::function<void(std::size_t, ProgramOutcome)>;

/// Asked at least every 100 ms and after every signal; may be empty.
using Interrupted = std::function<bool()>;

/// Whether values can be read from what a program answered; may be empty.
using IsAnswer = std::function<bool(const ProgramOutcome&)>;

/// Starts one program for each evaluation.
class ProgramPool {
 public:
  explicit ProgramPool(const ProgramLimits& limits) : limits_(limits) {}

  /// Runs jobs 0, 1, ... in this order, at most `workers` at a time, and calls `done` once for each. Once `interrupted`
  /// returns true, everything that runs is killed, all jobs without an outcome are `cancelled`, and the function
  /// returns. Throws std::system_error if not even one program can be run for lack of descriptors or processes.
  void run(std::size_t jobs, const std::function<ProgramJob(std::size_t)>& job, const ProgramDone& done,
           const Interrupted& interrupted) const;

 private:
  ProgramLimits limits_;
};

/// Keeps `workers` programs alive and sends one line for each candidate; each answers with one line on standard output.
///
/// A program that dies or exceeds its time fails that candidate only, and is started again for the next one. One that
/// has ended after an answer without reading the next line is replaced, and its successor gets that line. One that
/// prints more than its answer is replaced as well: the rest could be taken for the next answer. To see it in time, the
/// end of a line is sent when the program has read the beginning: what it has printed by then, beside its answers, it
/// printed before. That is certain for a program that reads its standard input itself when it needs the next line, and
/// that has written by then what it has printed.
class PersistentPrograms {
 public:
  /// Programs start when they are first needed.
  PersistentPrograms(std::vector<std::string> arguments, const ProgramLimits& limits,
                     std::filesystem::path directory = {});
  PersistentPrograms(const PersistentPrograms&) = delete;
  PersistentPrograms(PersistentPrograms&&) = delete;
  PersistentPrograms& operator=(const PersistentPrograms&) = delete;
  PersistentPrograms& operator=(PersistentPrograms&&) = delete;
  /// Closes their standard input, waits up to 1 s, and kills the remaining ones.
  ~PersistentPrograms();

  /// As ProgramPool::run; `line` gives the text for a candidate, a newline is added if it has none. The time of a
  /// candidate includes the start of its program. An interruption ends all programs; the next run starts new ones.
  /// A program whose answer `is_answer` does not recognise is replaced after it.
  void run(std::size_t jobs, const std::function<std::string(std::size_t)>& line, const ProgramDone& done,
           const Interrupted& interrupted, const IsAnswer& is_answer = {});

  /// What a program has printed beside an answer, the first time; empty if none did.
  [[nodiscard]] const std::string& surplus() const { return surplus_; }

  /// Whether programs ended of their own accord after most of several answers. From any thread.
  [[nodiscard]] bool ends_after_answers() const { return ends_ >= 3 && 2 * ends_ > answers_; }

 private:
  struct Worker;
  class Run;

  void end();

  ProgramJob program_;
  ProgramLimits limits_;
  std::vector<Worker> workers_;
  std::string surplus_;
  std::atomic<std::int64_t> answers_ = 0;
  std::atomic<std::int64_t> ends_ = 0;  // after an answer
};

}  // namespace surefoot
