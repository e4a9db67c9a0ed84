#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "core/invalid_option.hpp"
#include "surefoot/evaluator.hpp"

namespace surefoot {

void refuse_workers(int workers) {
  reject(
      "workers", workers,
      "an objective that takes whole populations is called once a generation; let it start threads itself, or give one "
      "that takes a single point");
}

ThreadEvaluator::ThreadEvaluator(std::function<void(Generation&, Index)> evaluate_one, int workers)
    : evaluate_one_(std::move(evaluate_one)), workers_(workers) {}

/// A counter hands out candidates one at a time. Threads are created for each generation, which costs some ten
/// microseconds; evaluations that are worth a thread take longer.
void ThreadEvaluator::evaluate(Generation& generation) {
  const std::vector<Index> open = generation.open_candidates();
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr first;
  const auto work = [&](int worker) {
    try {
      for (std::size_t k = next++; k < open.size() && !generation.cancelled(); k = next++) {
        const Stopwatch watch;
        generation.begin(open[k], worker);
        evaluate_one_(generation, open[k]);
        busy_ += watch.seconds();
      }
    } catch (...) {  // of a callback, not of the objective: it is for the caller, and must not end the process
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
      next = open.size();
    }
  };
  const auto count = std::min(static_cast<std::size_t>(std::max(workers_, 1)), open.size());
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t t = 1; t < count; ++t) threads.emplace_back(work, static_cast<int>(t));
    } catch (const std::system_error&) {  // The system has no more threads: those there are do the work.
    }
    work(0);
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace surefoot
