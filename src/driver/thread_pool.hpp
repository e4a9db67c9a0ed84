#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "surefoot/executor.hpp"

namespace surefoot {

/// Threads that share pieces of work with the thread that has it. They start with the first work and sleep in between.
class ThreadPool final : public Executor {
 public:
  /// `threads` counts the caller's.
  explicit ThreadPool(int threads) : helpers_(threads - 1) {}
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool(ThreadPool&&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ThreadPool& operator=(ThreadPool&&) = delete;
  ~ThreadPool() override;

  /// Not from two threads at a time. An exception of the work, the first one, reaches the caller; pieces that were not
  /// begun are then left out.
  void run(Index count, const std::function<void(Index)>& work) override;

 private:
  void start();
  void serve();
  void take_pieces();

  int helpers_;
  std::mutex mutex_;
  std::condition_variable begun_, done_;
  // Written under the mutex, and by nobody while helpers are busy.
  const std::function<void(Index)>* work_ = nullptr;
  Index count_ = 0;
  Index portion_ = 1;        // pieces that are taken at once
  std::uint64_t batch_ = 0;  // number of the present work
  int busy_ = 0;             // helpers that are not done with it
  bool is_over_ = false;
  std::exception_ptr failure_;

  std::atomic<Index> next_ = 0;        // the first piece that nobody has taken
  std::vector<std::jthread> threads_;  // The last member: threads use all of the above.
};

}  // namespace surefoot
