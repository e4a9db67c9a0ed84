#pragma once

#include "core/ranking/ranking.hpp"

namespace surefoot {

/// The weights of DX-NES while the distribution moves [Fukushima2011]: candidates far from the mean tell more about the
/// way ahead. With u_k = w_k + 1/popsize, the part of the rank weights that is not negative,
///
///     w_i = u_i exp(alpha |z_i|)/sum_j u_j exp(alpha |z_j|) - 1/popsize.
///
/// `distances` are |z_i| in sampling order; so are the weights that are written.
void assign_distance_weights(const Ranking& ranking, const Vector& rank_weights, const Vector& distances, double alpha,
                             Vector& candidate_weights);

}  // namespace surefoot
