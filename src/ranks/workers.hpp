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

/// Does tasks, one after the other, in one thread. It returns nothing for a task that was cancelled. An exception means
/// that no further task makes sense.
using Work = std::function<std::optional<std::string>(const Task&, const std::function<bool()>& cancelled)>;

/// Makes a worker's Work. It is called in the worker's thread when its first task is there.
using MakeWork = std::function<Work()>;

/// The pool of threads of one rank. They do tasks while the rank's own thread sends and receives.
class Workers {
 public:
  Workers(const MakeWork& make_work, int count);
  Workers(const Workers&) = delete;
  Workers(Workers&&) = delete;
  Workers& operator=(const Workers&) = delete;
  Workers& operator=(Workers&&) = delete;
  /// Cancels all tasks and waits for the threads.
  ~Workers();

  [[nodiscard]] int count() const { return static_cast<int>(threads_.size()); }

  /// Whether all threads have something to do.
  [[nodiscard]] bool full() const { return busy_ >= count(); }

  void start(Task task);

  /// The answers since the last call.
  std::vector<Answer> take();

  /// Returns when there is an answer, at the latest after `pause`.
  void wait(std::chrono::steady_clock::duration pause);

  /// Gives up the tasks of this batch and of those before it.
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
  int busy_ = 0;  // Tasks whose answer was not taken yet. Only the rank's own thread uses it.
  std::atomic<std::int64_t> cancelled_batch_{-1};
  std::vector<std::jthread> threads_;  // The last member: threads use all of the above.
};

}  // namespace surefoot
