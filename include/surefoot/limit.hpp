#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Limits on named outputs of an objective.

#include <limits>
#include <string>

namespace surefoot {

/// A limit on an output: `low` <= output <= `high`. An infinite side does not limit.
struct Limit {
  std::string name;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

}  // namespace surefoot
