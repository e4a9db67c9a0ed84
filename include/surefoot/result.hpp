#pragma once

/// \file
/// What a search found.

#include <cstdint>
#include <iosfwd>
#include <string>

#include "surefoot/stop.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

struct Result {
  Vector x;              // best point evaluated; the start if no value was finite
  double fun = 0;        // its value; NaN if no value was finite
  bool success = false;  // ftarget reached or, without ftarget, converged
  StopReason stop = StopReason::none;
  std::string message;    // why it stopped, with the numbers
  std::int64_t nfev = 0;  // evaluations
  std::int64_t nit = 0;   // generations
  Vector xfavorite;       // mean of the distribution: often better than x under noise
  Vector stds;            // standard deviation of each coordinate
  std::uint64_t seed = 0;
};

/// Best value and point, why it stopped, what it cost.
std::ostream& operator<<(std::ostream& out, const Result& result);

}  // namespace surefoot
