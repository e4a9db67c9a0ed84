#include "surefoot/start.hpp"

#include "core/invalid_option.hpp"

namespace surefoot {

Vector Sigma0::per_coordinate(Index dimension) const {
  if (!scalar_ && values_.size() != dimension) {
    reject("sigma0", "a list of " + text(values_.size()) + " numbers",
           "give one number or one per coordinate, " + text(dimension) + " here");
  }
  for (const double sigma : values_) require_positive("sigma0", sigma);
  return scalar_ ? Vector::Constant(dimension, values_[0]) : values_;
}

}  // namespace surefoot
