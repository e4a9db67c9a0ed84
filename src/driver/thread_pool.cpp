#include "driver/thread_pool.hpp"

#include <algorithm>
#include <system_error>

namespace surefoot {

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  begun_.notify_all();
}

/// Where the system has no more threads, those there are do the work.
void ThreadPool::start() {
  try {
    while (static_cast<int>(threads_.size()) < helpers_) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    helpers_ = static_cast<int>(threads_.size());
  }
}

void ThreadPool::run(Index count, const std::function<void(Index)>& work) {
  if (threads_.empty()) start();
  constexpr Index portions_of_a_thread = 8;  // some take longer than others
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    count_ = count;
    portion_ = std::max<Index>(1, count / (portions_of_a_thread * (helpers_ + 1)));
    next_ = 0;
    busy_ = helpers_;
    failure_ = nullptr;
    ++batch_;
  }
  begun_.notify_all();
  take_pieces();
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadPool::serve() {
  std::uint64_t last = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [&] { return is_over_ || batch_ != last; });
    if (is_over_) return;
    last = batch_;
    lock.unlock();
    take_pieces();
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

void ThreadPool::take_pieces() {
  try {
    for (Index begin = next_.fetch_add(portion_); begin < count_; begin = next_.fetch_add(portion_)) {
      const Index end = std::min(begin + portion_, count_);
      for (Index k = begin; k < end; ++k) (*work_)(k);
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    next_ = count_;
  }
}

}  // namespace surefoot
