#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "ranks/back_off.hpp"

namespace surefoot {

/// When each rank was heard last, and which were silent for too long. A rank may evaluate for hours, but its own thread
/// answers a ping at once: after half of the limit it is asked, after the other half it is lost.
class LostRanks {
 public:
  using Clock = BackOff::Clock;
  enum class Verdict { wait, ask, lose };

  LostRanks(int ranks, std::optional<std::chrono::duration<double>> limit)
      : limit_(limit), ranks_(static_cast<std::size_t>(ranks), State{Clock::now(), {}, false}) {}

  [[nodiscard]] std::optional<std::chrono::duration<double>> limit() const { return limit_; }
  [[nodiscard]] const std::vector<int>& lost() const { return lost_; }
  [[nodiscard]] bool is_lost(int rank) const { return at(rank).lost; }

  void hear(int rank) { at(rank) = {Clock::now(), {}, at(rank).lost}; }

  void lose(int rank) {
    at(rank).lost = true;
    lost_.push_back(rank);
  }

  Verdict judge(int rank) {
    State& state = at(rank);
    if (!limit_ || state.lost) return Verdict::wait;
    const Clock::time_point now = Clock::now();
    if (state.asked) return now - *state.asked > *limit_ / 2 ? Verdict::lose : Verdict::wait;
    if (now - state.heard <= *limit_ / 2) return Verdict::wait;
    state.asked = now;
    return Verdict::ask;
  }

 private:
  struct State {
    Clock::time_point heard;
    std::optional<Clock::time_point> asked;
    bool lost;
  };
  State& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const State& at(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }

  std::optional<std::chrono::duration<double>> limit_;
  std::vector<State> ranks_;
  std::vector<int> lost_;
};

}  // namespace surefoot
