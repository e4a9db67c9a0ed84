#include "core/invalid_option.hpp"

#include <cmath>

namespace surefoot {

double require_positive(std::string_view option, double value) {
  if (!(value > 0 && std::isfinite(value))) reject(option, value, "it must be a finite number > 0");
  return value;
}

}  // namespace surefoot
