#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Runs the pieces of a strategy's own work.

#include <functional>

#include "surefoot/types.hpp"

namespace surefoot {

/// Runs independent pieces of work. A strategy hands over blocks of coordinates, whose limits do not depend on the
/// executor: neither do the bits of the result.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor(Executor&&) = delete;
  Executor& operator=(const Executor&) = delete;
  Executor& operator=(Executor&&) = delete;
  virtual ~Executor() = default;

  /// Calls work(0), ..., work(count - 1), in any order and from any thread, and returns when all are done.
  virtual void run(Index count, const std::function<void(Index)>& work) = 0;
};

}  // namespace surefoot
