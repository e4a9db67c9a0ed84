#pragma once

/// \file
/// The practical problems, one function a family.

#include <vector>

#include "surefoot/practical.hpp"

namespace surefoot::practical {

using Rows = std::vector<PracticalProblem>;

Rows ode_fits();
Rows regressions();
Rows clusters();
Rows controllers();
Rows networks();
Rows designs();
Rows antennas();
Rows gaussian_processes();
Rows plateaus_and_corners();

inline double square(double u) { return u * u; }

}  // namespace surefoot::practical
