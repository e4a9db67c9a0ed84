#pragma once

#include <atomic>
#include <chrono>

#include "search/stop/stop.hpp"
#include "surefoot/options.hpp"

namespace surefoot {

/// The time of a search, and who wants it to end.
class Watch {
 public:
  /// The options must outlive it.
  explicit Watch(const Options& options) : options_(options) {}

  /// Seconds, in all processes together.
  [[nodiscard]] double elapsed() const;
  /// Takes over the seconds of earlier processes.
  void start_from(double seconds) { before_ = seconds; }

  /// Asked from evaluators' threads: reads only what does not change during a generation. The first reason is latched.
  [[nodiscard]] StopReason cancel_reason() const;
  /// The end for this reason; none without one.
  [[nodiscard]] Stop met_cancel() const { return end_by(cancel_reason()); }
  [[nodiscard]] Stop end_by(StopReason reason) const;

 private:
  using Clock = std::chrono::steady_clock;

  const Options& options_;
  Clock::time_point begin_ = Clock::now();
  double before_ = 0;  // seconds before this process
  mutable std::atomic<StopReason> cancelled_{StopReason::none};
};

}  // namespace surefoot
