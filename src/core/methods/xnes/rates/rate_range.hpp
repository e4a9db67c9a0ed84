#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "surefoot/learning_rate.hpp"

namespace surefoot {

/// Where a learning rate may be.
struct RateRange {
  double low;
  double high;

  /// In this order: at d = 1 the default rate 1.8 is above the maximum 1, which must win.
  [[nodiscard]] double clip(double eta) const { return std::min(std::max(eta, low), high); }
};

/// The limits that are given, else the default ones. `option` is that of the rate, without "_min" and "_max".
/// \throws std::invalid_argument if a given limit is not positive or a given minimum above the maximum.
RateRange checked_range(const std::string& option, const std::optional<double>& low, const std::optional<double>& high,
                        const RateRange& defaults);

/// eta exp(beta (l/alpha - gamma)), clipped [NomuraOno2022, eqs. 5-8].
double adapted_rate(double eta, double alpha, double beta, const PathLength& path, const RateRange& range);

/// \throws std::invalid_argument unless 0 < value <= 1, as the part that a path forgets must be.
double require_fraction(const std::string& option, double value);

}  // namespace surefoot
