#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ranks/channel.hpp"
#include "ranks/slots.hpp"
#include "surefoot/evaluator.hpp"

namespace surefoot {

/// Hands tasks to idle workers, one at a time, since they take differently long. Where all are over in milliseconds and
/// the way to a rank and back would count, a busy worker gets its next one ahead. Lives on the first rank, whose own
/// workers take part; the others `serve`.
class Dispatcher {
 public:
  using MakeTask = std::function<std::string(std::int64_t)>;
  using Done = std::function<void(std::int64_t, const std::string&)>;

  /// `channel` must outlive it. `workers` are those of this rank; the others tell how many they have.
  Dispatcher(Channel& channel, const MakeWork& make_work, int workers);
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher(Dispatcher&&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;
  Dispatcher& operator=(Dispatcher&&) = delete;
  /// Ends the other ranks' `serve` and waits for their last messages.
  ~Dispatcher();

  /// Does the tasks of these numbers, which ascend, and calls `done` once for each, in any order, in the caller's
  /// thread. Once `cancelled` is true, ranks are told to give up; those that do not answer within half a second are no
  /// longer waited for. \throws std::runtime_error if a rank cannot work, naming it.
  void run(std::span<const std::int64_t> numbers, const MakeTask& task, const Done& done,
           const std::function<bool()>& cancelled);

  [[nodiscard]] Usage usage() const { return usage_; }

 private:
  class Batch;

  /// The rank for the next task, of which there are still so many; none if it has to wait.
  std::optional<int> next_worker(std::size_t waiting);
  void hand_out(int rank, Task task);
  /// One of the rank's workers is done with a task; says whether it has begun with the next.
  bool note_answer(int rank);
  /// Takes what has arrived; false if that is nothing.
  bool collect(const std::function<void(const Answer&, bool)>& take);
  void cancel_batch();

  Channel& channel_;
  Slots own_;
  std::deque<int> idle_;  // a rank stands here once for each of its idle workers
  std::int64_t batch_ = 0;
  double fastest_ = 0;  // seconds of a task in the batch before
  double slowest_ = std::numeric_limits<double>::infinity();
  std::vector<int> ahead_;  // for each rank, tasks that wait there for a worker
  std::vector<int> stale_;  // for each rank, entries of busy_ that hold no longer
  std::deque<int> busy_;    // a rank stands here once for each busy worker without a next task
  Usage usage_;
};

}  // namespace surefoot
