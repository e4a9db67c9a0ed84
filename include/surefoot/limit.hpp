#pragma once

/// \file
/// Limits on named outputs of an objective.

#include <limits>
#include <string>

namespace surefoot {

/// A limit on an output: it must be from `low` to `high`. An infinite side is no limit.
struct Limit {
  std::string name;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

}  // namespace surefoot
