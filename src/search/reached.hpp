#pragma once

#include "core/discrete/categorical.hpp"
#include "driver/domain/domain.hpp"
#include "surefoot/start.hpp"

namespace surefoot {

/// What a run has reached: its distribution, by value.
struct Reached {
  Start distribution;       // search coordinates
  Categorical categorical;  // of the choices

  /// `dimension` is that of the search coordinates.
  void visit(StateVisitor& visitor, Index dimension);
};

/// The distribution alone, for who does not know its dimension.
void visit_distribution(StateVisitor& visitor, Start& distribution);

/// A mean in the user's coordinates, with the most probable choices.
Vector user_mean(const Domain& domain, const Vector& mean, const Categorical& categorical);
/// Standard deviations in the user's coordinates; of a choice the probability of another value.
Vector user_deviations(const Domain& domain, Vector deviations, const Categorical& categorical);

}  // namespace surefoot
