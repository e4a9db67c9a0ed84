#include "core/ranking/distance_weights.hpp"

#include "core/elementary/elementary.hpp"

namespace surefoot {

/// Only differences of distances matter; the largest is taken out, so that nothing overflows.
void assign_distance_weights(const Ranking& ranking, const Vector& rank_weights, const Vector& distances, double alpha,
                             Vector& candidate_weights) {
  const double share = 1 / static_cast<double>(distances.size());
  ranking.assign(rank_weights, candidate_weights);
  auto w = candidate_weights.array();
  const double largest = distances.maxCoeff();
  for (Index i = 0; i < w.size(); ++i) w[i] = (w[i] + share) * elementary::exp(alpha * (distances[i] - largest));
  w = w / w.sum() - share;
}

}  // namespace surefoot
