#pragma once

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/descriptor.hpp"
#include "evaluators/program_pool.hpp"
#include "evaluators/tail.hpp"

namespace surefoot {

/// The longest time between two questions whether to stop.
constexpr std::chrono::milliseconds longest_wait{100};

/// How a start went. The program runs if neither member says otherwise.
struct StartResult {
  int shortage = 0;                       // errno, if this process is out of descriptors or processes
  std::optional<ProgramOutcome> failure;  // of the program
};

/// A program with our ends of its pipes. Its destruction kills it.
class Program {
 public:
  using Clock = std::chrono::steady_clock;
  using Kind = ProgramOutcome::Kind;

  Program() = default;
  Program(const Program&) = delete;
  Program(Program&&) = delete;
  Program& operator=(const Program&) = delete;
  Program& operator=(Program&&) = delete;
  ~Program();

  StartResult start(ProgramJob& job);

  /// The whole input of a program that is started for one evaluation.
  void send(std::string text);
  /// A line for a persistent program. Its end is held back until the program has read what is before it: a program
  /// that reads has finished with the question before, and whatever it has printed since its answer was not asked for.
  void ask(std::string line);
  void limit_time(std::optional<double> seconds);
  void close_input() { input_pipe_.close(); }

  /// Sends SIGTERM now, and SIGKILL after a grace.
  void stop(Kind why);

  using Events = std::vector<pollfd>;
  /// Adds what is to be waited for: only descriptors that are open, because the system limits how many poll may watch.
  void watch(Events& events) const;
  /// Takes the events that watch() has added, and moves `next` behind them.
  void handle(Events::iterator& next);
  [[nodiscard]] Clock::time_point next_event(Clock::time_point now) const;

  [[nodiscard]] bool ended() const { return pid_ < 0; }
  ProgramOutcome outcome();

  // For persistent programs:
  std::optional<ProgramOutcome> answer();
  bool ready();
  /// Whether the program has ended, or printed something, before it could know the whole line.
  [[nodiscard]] bool missed_line() const { return ignored_input_ || held_back_ > 0; }
  /// What has been printed and not taken.
  std::string surplus();
  /// Whether more than the answer came with it. The first line may have been left over from the question before.
  [[nodiscard]] bool has_surplus() const { return !output_.empty() || bytes_in(output_pipe_) > 0; }

 private:
  static constexpr std::size_t output_limit = 65536;
  static constexpr std::size_t errors_limit = 4096;

  [[nodiscard]] bool exited() const;
  [[nodiscard]] bool has_answer() const { return !stopped_ && !close_afterwards_ && output_.has_line(); }
  void write_input();
  void write_rest();
  [[nodiscard]] bool awaits_reader() const { return held_back_ > 0 && sent_ + held_back_ == input_.size(); }
  void hang_up();
  static void read_some(Descriptor& pipe, Tail& tail, std::size_t bytes);
  static void drain(Descriptor& pipe, Tail& tail);
  void enforce_time(Clock::time_point now);
  void signal_group(int signal) const;
  void collect();
  bool reap(int options);
  void release();

  pid_t pid_ = -1;
  int wait_status_ = 0;
  bool status_known_ = true;
  Descriptor process_, input_pipe_, output_pipe_, errors_pipe_;
  std::string input_;
  std::size_t sent_ = 0;
  std::size_t held_back_ = 0;    // bytes at the end of the input
  bool tells_of_reader_ = true;  // the pipe can be written to again as soon as it is empty
  bool close_afterwards_ = true;
  bool ignored_input_ = false;
  Tail output_{output_limit};
  Tail errors_{errors_limit};
  std::optional<Clock::time_point> deadline_;
  std::optional<Kind> stopped_;
  bool killed_ = false;
  bool mute_ = false;
};

}  // namespace surefoot
