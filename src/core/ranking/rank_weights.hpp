#pragma once

#include "surefoot/types.hpp"

namespace surefoot {

/// Fitness shaping: the zero-sum weights of the ranks 1 (best) to popsize.
struct RankWeights {
  Vector w;
  double mu_w = 1;  // 1/sum_i w_i^2; the paper prints sum_i 1/w_i^2, its derivation needs this
};

/// w_i = max(0, ln(popsize/2 + 1) - ln i), divided by their sum.
Vector positive_rank_weights(Index popsize);

/// w_i = max(0, ln(popsize/2 + 1) - ln i)/sum_j max(0, ln(popsize/2 + 1) - ln j) - 1/popsize [NomuraOno2022, sec. 2].
RankWeights rank_weights(Index popsize);

/// w_i = (mean_j ln j - ln i)/sum_k |mean_j ln j - ln k|: logarithmic without truncation, so that the worse half is
/// ordered too.
RankWeights untruncated_weights(Index popsize);

}  // namespace surefoot
