#pragma once

#include <cmath>

#include "core/elementary/elementary.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// Of positive numbers; 1 of none. A common one is kept exactly: exp(log(.)) would round it.
inline double geometric_mean(const Vector& numbers) {
  if (numbers.size() == 0) return 1;
  const bool is_constant = (numbers.array() == numbers[0]).all();
  return is_constant ? numbers[0] : elementary::exp(elementary::mean_log(numbers));
}

}  // namespace surefoot
