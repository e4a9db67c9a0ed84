#pragma once

#include <chrono>
#include <string>

namespace surefoot::cli {

/// "1:05" or "2:03:04".
std::string clock_time(double seconds);

/// Progress on stderr: a bar with the time left on a terminal, otherwise one line every 10 seconds.
class ProgressBar {
 public:
  explicit ProgressBar(std::string what);

  /// `share` is that of the work that was left at construction, 0 to 1. Finishes when all is done.
  void show(std::size_t done, std::size_t total, double share);

  /// Leaves the terminal's line clean.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  bool terminal_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace surefoot::cli
