#pragma once

#include <cmath>

#include "surefoot/types.hpp"

namespace surefoot {

/// chi_d, the usual approximation of E|N(0, I_d)| [Hansen2016].
inline double expected_norm(Index dimension) {
  const auto d = static_cast<double>(dimension);
  return std::sqrt(d) * (1 - 1 / (4 * d) + 1 / (21 * d * d));
}

}  // namespace surefoot
