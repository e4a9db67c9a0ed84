#pragma once

#include <vector>

#include "surefoot/types.hpp"

namespace surefoot {

/// What a strategy is told where the search leaves the bounds.
///
/// A candidate outside is evaluated at its projection, so f alone cannot lead it back. Its distance to the box
/// worsens its rank: candidates are ranked by y + strength q/d, where y is the normal score of the rank among the
/// values and q the squared distance in units of the distribution's standard deviations. Scores instead of values keep
/// the search invariant under monotone transformations of f, and need no memory of f's scale.
class BoundPenalty {
 public:
  /// Returns numbers whose order the strategy should learn from. Values that are not finite stay as they are.
  const Vector& merits(const Vector& values, const Vector& squared_excess, Index dimension);

 private:
  std::vector<Index> order_;
  Vector merits_;
};

}  // namespace surefoot
