#include "experiments/parallel.hpp"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace surefoot {

void parallel_for_each(std::size_t count, int threads, const std::atomic<bool>& stop,
                       const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto loop = [&] {
    while (!stop && !failed) {
      const std::size_t i = next++;
      if (i >= count) return;
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(error_mutex);
        if (!error) error = std::current_exception();
        failed = true;
      }
    }
  };
  {
    std::vector<std::jthread> pool;
    for (int t = 1; t < threads; ++t) pool.emplace_back(loop);
    loop();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace surefoot
