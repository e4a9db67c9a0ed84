#pragma once

#include <algorithm>
#include <chrono>

namespace surefoot {

/// How long to sleep between two looks for a message: a sixteenth of the time already waited. So a wait is prolonged by
/// 3 % on average however long it is, and a rank that waits leaves its processor to others. A blocking receive would
/// be simpler, but those of common MPI libraries keep a processor fully busy, which hurts where ranks share one.
class BackOff {
 public:
  using Clock = std::chrono::steady_clock;

  /// Something has happened.
  void reset() { since_ = Clock::now(); }

  /// Nothing is to be expected before: until then a wait costs next to nothing, and afterwards it is looked often.
  void expect(Clock::time_point time) { expected_ = time; }

  [[nodiscard]] Clock::duration pause() const {
    const Clock::time_point now = Clock::now();
    if (now < expected_) return std::min<Clock::duration>(expected_ - now, longest);
    return std::clamp<Clock::duration>((now - std::max(since_, expected_)) / 16, shortest, longest);
  }

  static constexpr std::chrono::microseconds shortest{20};
  static constexpr std::chrono::milliseconds longest{5};  // also between two looks at an interruption

 private:
  Clock::time_point since_ = Clock::now();
  Clock::time_point expected_ = Clock::time_point::min();
};

}  // namespace surefoot
