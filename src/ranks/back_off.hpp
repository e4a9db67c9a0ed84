#pragma once

#include <algorithm>
#include <chrono>

namespace surefoot {

/// The pause between two looks for a message: a sixteenth of the time already waited. A wait becomes 3 % longer on
/// average, however long it is, and a waiting rank leaves its processor to others. Ranks poll between short sleeps,
/// because blocking MPI receives spin.
class BackOff {
 public:
  using Clock = std::chrono::steady_clock;

  /// Begins a new wait, because something has happened.
  void reset() { since_ = Clock::now(); }

  /// Nothing will happen before this time. Pauses are long until then and short afterwards.
  void expect(Clock::time_point time) { expected_ = time; }

  [[nodiscard]] Clock::duration pause() const {
    const Clock::time_point now = Clock::now();
    if (now < expected_) return std::min<Clock::duration>(expected_ - now, longest);
    return std::clamp<Clock::duration>((now - std::max(since_, expected_)) / 16, shortest, longest);
  }

  static constexpr std::chrono::microseconds shortest{20};
  static constexpr std::chrono::milliseconds longest{5};  // Interruptions are noticed within this time.

 private:
  Clock::time_point since_ = Clock::now();
  Clock::time_point expected_ = Clock::time_point::min();
};

}  // namespace surefoot
