#pragma once

#include <cmath>
#include <cstdint>

#include "core/elementary/elementary.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

// The paths of CMA-ES [Hansen2016, app. A].

/// p := (1 - c) p + sqrt(c (2 - c) mu_eff) mean.
inline void cumulate(double c, double mu_eff, const Vector& mean, Vector& p) {
  p = (1 - c) * p + std::sqrt(c * (2 - c) * mu_eff) * mean;
}

/// The variance of a path's component under a random ranking, after a generation in which it was added to or not.
inline double path_variance(double c, bool is_added_to, double before) {
  return (1 - c) * (1 - c) * before + (is_added_to ? c * (2 - c) : 0);
}

/// h_sigma. A long path means that sigma is far too small; the rank-one update then waits, so that C does not grow in
/// its place. The exponent is 4 in the first generation, as in the cmaes library; readings that begin with 2 exist.
inline bool is_path_short(double c_sigma, double chi, std::int64_t g, const Vector& p_sigma, int first_exponent = 4) {
  const auto d = static_cast<double>(p_sigma.size());
  const double variance = 1 - elementary::pow(1 - c_sigma, 2 * static_cast<double>(g - 1) + first_exponent);
  return p_sigma.norm() / std::sqrt(variance) < (1.4 + 2 / (d + 1)) * chi;
}

}  // namespace surefoot
