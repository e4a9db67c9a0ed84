#include "core/shapes/diagonal_shape.hpp"

#include <algorithm>
#include <functional>

namespace surefoot {

void DiagonalShape::axis(Index k, Vector& out) const {
  out.setZero(s.size());
  out[k] = s[k];
}

Vector DiagonalShape::axis_lengths() const {
  Vector lengths = s;
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  return lengths;
}

}  // namespace surefoot
