#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ranks/channel.hpp"
#include "ranks/lost_ranks.hpp"
#include "ranks/workers.hpp"
#include "surefoot/evaluator.hpp"

namespace surefoot {

/// Hands tasks to idle workers, one at a time, because some take longer than others. Busy workers get their next task
/// ahead where all tasks are over in milliseconds: the way to a rank and back would count then. The dispatcher lives on
/// the first rank, whose own workers take part; the other ranks `serve`.
class Dispatcher {
 public:
  using MakeTask = std::function<std::string(std::int64_t)>;
  using Done = std::function<void(std::int64_t, const std::string&)>;

  /// `channel` must outlive it. `workers` are those of this rank; the other ranks say how many they have. A rank that
  /// is silent for `rank_timeout` is left out: its tasks go to others, and nothing that it says counts any more.
  Dispatcher(Channel& channel, const MakeWork& make_work, int workers,
             std::optional<std::chrono::duration<double>> rank_timeout = {});
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher(Dispatcher&&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;
  Dispatcher& operator=(Dispatcher&&) = delete;
  /// Ends the other ranks' `serve` and waits for their last messages, with a rank_timeout no longer than that.
  ~Dispatcher();

  /// The ranks that were left out, in the order of their loss.
  [[nodiscard]] const std::vector<int>& lost() const { return silence_.lost(); }

  /// Called with the number of each rank that is left out.
  void on_loss(std::function<void(int)> tell) { tell_loss_ = std::move(tell); }

  /// Ends `serve` on the other ranks as the destructor does, once. Ranks that were left out are woken and asked too.
  void end();

  /// The ranks that have not taken leave: MPI could not end with them.
  [[nodiscard]] const std::vector<int>& unreachable() const { return unreachable_; }

  /// Does the tasks of these numbers, which ascend, and calls `done` once for each, in any order, in the caller's
  /// thread. Once `cancelled` is true, ranks receive the order to give up; those that do not answer within the
  /// channel's grace are no longer waited for. \throws std::runtime_error if a rank cannot work, naming it.
  void run(std::span<const std::int64_t> numbers, const MakeTask& task, const Done& done,
           const std::function<bool()>& cancelled);

  [[nodiscard]] Usage usage() const { return usage_; }

 private:
  class Batch;

  /// The rank for the next task, or none if the task has to wait. `waiting` tasks are left.
  std::optional<int> next_worker(std::size_t waiting);
  void hand_out(int rank, Task task);
  /// Leaves out ranks with tasks in flight that have been silent for too long.
  void look_for_silence(Batch& batch);
  void leave_out(int rank);
  /// Notes that one of the rank's workers is done with a task. Returns whether it has begun with the next.
  bool note_answer(int rank);
  /// Takes what has arrived. Returns false if that is nothing.
  bool collect(const std::function<void(const Answer&, bool)>& take);
  void cancel_batch();

  Channel& channel_;
  Workers own_;
  std::deque<int> idle_;  // A rank is here once for each of its idle workers.
  std::int64_t batch_ = 0;
  double fastest_ = 0;  // seconds of a task in the batch before
  double slowest_ = std::numeric_limits<double>::infinity();
  std::vector<int> ahead_;    // for each rank, tasks that wait there for a worker
  std::vector<int> stale_;    // for each rank, entries of busy_ that hold no longer
  std::deque<int> busy_;      // A rank is here once for each busy worker without a next task.
  std::vector<int> workers_;  // of each rank, as it has said
  LostRanks silence_;
  std::function<void(int)> tell_loss_;
  bool cancelled_ = false;  // the last batch was
  bool ended_ = false;
  std::vector<int> unreachable_;
  Usage usage_;
};

}  // namespace surefoot
