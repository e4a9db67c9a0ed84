#pragma once

#include <cmath>
#include <cstdint>

#include "core/elementary/elementary.hpp"

namespace surefoot {

// Generations of normals that no search reaches, for draws outside of a run's course.
inline constexpr std::uint64_t start_draw = (std::uint64_t{1} << 48U) - 1;  // where a restart begins
inline constexpr std::uint64_t schedule_draw = start_draw - 1;              // its size and width
inline constexpr std::uint64_t closing_draw = std::uint64_t{1} << 47U;      // samples at the end of a budget
inline constexpr std::uint64_t choice_draw = std::uint64_t{1} << 46U;       // choices, beside any generation
inline constexpr std::uint64_t regression_draw = std::uint64_t{1} << 45U;   // rounds of a search by regression

/// From a normal to the uniform number of the same rank.
inline double uniform_of(double normal) { return elementary::erfc(-normal / std::sqrt(2.0)) / 2; }

}  // namespace surefoot
