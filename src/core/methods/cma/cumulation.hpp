#pragma once

#include <cmath>
#include <cstdint>

#include "surefoot/types.hpp"

namespace surefoot {

// The paths of CMA-ES [Hansen2016, app. A].

/// p := (1 - c) p + sqrt(c (2 - c) mu_eff) mean.
inline void cumulate(double c, double mu_eff, const Vector& mean, Vector& p) {
  p = (1 - c) * p + std::sqrt(c * (2 - c) * mu_eff) * mean;
}

/// h_sigma. A long path means that sigma is far too small; the rank-one update then waits, so that C does not grow in
/// its place. The exponent is 4 in the first generation, as in the cmaes library; readings that begin with 2 exist.
inline bool is_path_short(double c_sigma, double chi, std::int64_t g, const Vector& p_sigma) {
  const auto d = static_cast<double>(p_sigma.size());
  const double variance = 1 - std::pow(1 - c_sigma, 2 * static_cast<double>(g + 1));
  return p_sigma.norm() / std::sqrt(variance) < (1.4 + 2 / (d + 1)) * chi;
}

}  // namespace surefoot
