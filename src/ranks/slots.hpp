#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "ranks/message.hpp"

namespace surefoot {

/// Does tasks, one after the other, in one thread. Nothing is returned for a task that was cancelled; an exception
/// means that no further task makes sense.
using Work = std::function<std::optional<std::string>(const Task&, const std::function<bool()>& cancelled)>;

/// Called in the worker's thread, when its first task is there.
using MakeWork = std::function<Work()>;

/// The workers of one rank: threads that do tasks while the rank's own thread sends and receives.
class Slots {
 public:
  Slots(const MakeWork& make_work, int count);
  Slots(const Slots&) = delete;
  Slots(Slots&&) = delete;
  Slots& operator=(const Slots&) = delete;
  Slots& operator=(Slots&&) = delete;
  /// Cancels everything and waits for it.
  ~Slots();

  [[nodiscard]] int count() const { return static_cast<int>(threads_.size()); }

  /// Whether all have something to do.
  [[nodiscard]] bool full() const { return busy_ >= count(); }

  void start(Task task);

  /// What has ended since the last call.
  std::vector<Answer> take();

  /// Returns when something has ended, at the latest after `pause`.
  void wait(std::chrono::steady_clock::duration pause);

  /// Nobody waits for the tasks of this batch and those before it.
  void cancel(std::int64_t batch) { cancelled_batch_ = batch; }

 private:
  void end();
  void loop(const MakeWork& make_work);
  std::optional<Task> next();
  Answer answer(const MakeWork& make_work, Work& work, const Task& task) const;

  std::mutex mutex_;
  std::condition_variable has_task_;
  std::condition_variable has_answer_;
  std::deque<Task> tasks_;
  std::vector<Answer> answers_;
  bool ends_ = false;
  int busy_ = 0;  // of the rank's own thread: tasks without an answer that was taken
  std::atomic<std::int64_t> cancelled_batch_{-1};
  std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace surefoot
