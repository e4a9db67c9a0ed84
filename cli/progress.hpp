#pragma once

#include <chrono>
#include <string>

namespace surefoot::cli {

/// Formats a time as "1:05" or "2:03:04".
std::string clock_time(double seconds);

/// Shows progress on stderr: on a terminal a bar with the time left, otherwise one line every 10 seconds.
class ProgressBar {
 public:
  explicit ProgressBar(std::string what);

  /// `share` says how much of the work that was left at construction is done, from 0 to 1.
  void show(std::size_t done, std::size_t total, double share);

  /// Clears the terminal's line.
  void finish() const;

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  bool terminal_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace surefoot::cli
