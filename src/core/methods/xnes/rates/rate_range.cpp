#include "core/methods/xnes/rates/rate_range.hpp"

#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"

namespace surefoot {

RateRange checked_range(const std::string& option, const std::optional<double>& low, const std::optional<double>& high,
                        const RateRange& defaults) {
  if (high) require_positive(option + "_max", *high);
  if (low) require_positive(option + "_min", *low);
  const RateRange range = {low.value_or(defaults.low), high.value_or(defaults.high)};
  if (low && range.low > range.high) {
    reject(option + "_min", range.low, "it must be at most the maximum, " + text(range.high));
  }
  return range;
}

double adapted_rate(double eta, double alpha, double beta, const PathLength& path, const RateRange& range) {
  // The exponential may overflow at small popsize; infinity is then clipped to the maximum.
  return range.clip(eta * elementary::exp(beta * (path.l_theta / alpha - path.gamma)));
}

double require_fraction(const std::string& option, double value) {
  if (!(value > 0 && value <= 1)) reject(option, value, "it must be in (0, 1]");
  return value;
}

}  // namespace surefoot
