#include "core/ranking/distance_weights.hpp"

namespace surefoot {

/// Only differences of distances matter; the largest is taken out, so that nothing overflows.
void assign_distance_weights(const Ranking& ranking, const Vector& rank_weights, const Vector& distances, double alpha,
                             Vector& candidate_weights) {
  const double share = 1 / static_cast<double>(distances.size());
  ranking.assign(rank_weights, candidate_weights);
  auto w = candidate_weights.array();
  w = (w + share) * (alpha * (distances.array() - distances.maxCoeff())).exp();
  w = w / w.sum() - share;
}

}  // namespace surefoot
