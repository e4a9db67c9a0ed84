#pragma once

#include <limits>

namespace surefoot {

inline constexpr double fit_infinity = std::numeric_limits<double>::infinity();

}  // namespace surefoot
