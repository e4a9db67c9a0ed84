#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace surefoot {

/// Calls work(0), ..., work(count-1), each once, on so many threads, in no particular order; stops handing out when
/// `stop` becomes true or a call throws, and throws that exception when all threads have ended.
///
/// Plain threads and a counter: trials take from microseconds to seconds, so handing them out one at a time balances
/// the load, and ThreadSanitizer understands it, which it does not with a prebuilt oneTBB.
void parallel_for_each(std::size_t count, int threads, const std::atomic<bool>& stop,
                       const std::function<void(std::size_t)>& work);

}  // namespace surefoot
