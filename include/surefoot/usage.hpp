#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// How busy workers are.

#include <chrono>

namespace surefoot {

/// What an evaluator's workers have done so far. Times differ from run to run; results never depend on them.
struct Usage {
  int workers = 0;  // number of evaluations at a time; 0: not known
  double busy = 0;  // seconds spent on evaluations, summed over the workers
};

/// Measures the seconds since its construction.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace surefoot
