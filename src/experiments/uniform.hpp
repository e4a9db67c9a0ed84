#pragma once

#include <cmath>
#include <random>

namespace surefoot {

/// A uniform number in [0, 1). The standard prescribes the numbers of the engine but not those of its distributions.
inline double uniform(std::mt19937_64& engine) { return std::ldexp(static_cast<double>(engine() >> 11U), -53); }

}  // namespace surefoot
