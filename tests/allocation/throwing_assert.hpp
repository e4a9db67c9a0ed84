#pragma once

// Included before every source of the allocation test: Eigen's check of allocations is an assertion, which in a release
// build would be silent and otherwise abort.

#include <stdexcept>

#define EIGEN_RUNTIME_NO_MALLOC
#define eigen_assert(condition)                                     \
  do {                                                              \
    if (!(condition)) throw std::logic_error("Eigen: " #condition); \
  } while (false)
