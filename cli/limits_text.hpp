#pragma once

#include <string>
#include <vector>

#include "driver/merit/output_limits.hpp"

namespace surefoot::cli {

/// One line for each limit: the value at the best point, whether it is met or by how much not, the multiplier. Empty
/// without limits.
std::string limits_table(const std::vector<LimitState>& states);

}  // namespace surefoot::cli
