#pragma once

#include <string>

#include "surefoot/options.hpp"
#include "surefoot/space.hpp"

namespace surefoot::cli {

/// "rate (lower), x4 (upper)": the parameters of a point that are at a bound. Empty if none is.
std::string parameters_at_bounds(const Space& space, const Bounds& bounds, const Vector& x);

}  // namespace surefoot::cli
