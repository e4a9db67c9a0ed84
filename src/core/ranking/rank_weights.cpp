#include "core/ranking/rank_weights.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"

namespace surefoot {

Vector positive_rank_weights(Index popsize) {
  const auto lambda = static_cast<double>(popsize);
  Vector w(popsize);
  for (Index i = 0; i < popsize; ++i) {
    w[i] = std::max(0.0, elementary::log(lambda / 2 + 1) - elementary::log(static_cast<double>(i + 1)));
  }
  w /= w.sum();
  return w;
}

RankWeights rank_weights(Index popsize) {
  Vector w = positive_rank_weights(popsize);
  w.array() -= 1 / static_cast<double>(popsize);
  return {w, 1 / w.squaredNorm()};
}

RankWeights untruncated_weights(Index popsize) {
  Vector w(popsize);
  for (Index i = 0; i < popsize; ++i) w[i] = -elementary::log(static_cast<double>(i + 1));
  w.array() -= w.mean();
  w /= w.lpNorm<1>();
  return {w, 1 / w.squaredNorm()};
}

}  // namespace surefoot
