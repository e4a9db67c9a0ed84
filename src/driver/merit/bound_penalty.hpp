#pragma once

#include <vector>

#include "driver/merit/merit.hpp"

namespace surefoot {

/// What a strategy receives where the search leaves the bounds.
///
/// A candidate outside is evaluated at its projection, so f alone cannot lead it back. Its distance to the box
/// worsens its rank: candidates are ranked by y + strength q/d, where y is the normal score of the rank among the
/// values and q the squared distance in units of the distribution's standard deviations. Scores instead of values keep
/// the search invariant under monotone transformations of f, and need no memory of f's scale.
class BoundPenalty final : public Merit {
 public:
  explicit BoundPenalty(const Domain& domain) : domain_(domain) {}

  const Vector& of(const Vector& f, const Generation& outcomes, const Matrix& points,
                   const Distribution& distribution) override;

  /// Returns numbers whose order the strategy should learn from. Values that are not finite stay as they are.
  const Vector& penalised(const Vector& values, const Vector& squared_excess, Index dimension);

 private:
  const Domain& domain_;
  std::vector<Index> order_;
  Vector merits_, deviations_, squares_;
};

}  // namespace surefoot
