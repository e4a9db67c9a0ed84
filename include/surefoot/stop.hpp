#pragma once

/// \file
/// Why a search ended.

#include <string_view>

namespace surefoot {

enum class StopReason {
  none = 0,        // still running
  ftarget = 1,     // f <= ftarget
  maxfevals = 2,   // budget of evaluations used
  maxiter = 3,     // budget of generations used
  vanished = 4,    // standard deviations too small to move the mean: converged as far as doubles can tell
  exploded = 5,    // standard deviations beyond 1e150
  lost_rank = 6,   // B is singular to working precision: some direction is no longer searched
  non_finite = 7,  // mean, sigma or B holds NaN or infinity
};

/// The enumerator's name.
std::string_view name(StopReason reason);

}  // namespace surefoot
