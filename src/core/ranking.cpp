#include "core/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace surefoot {

Ranking::Ranking(Index popsize) : order_(static_cast<std::size_t>(popsize)) {}

bool Ranking::sort(const Vector& values) {
  std::iota(order_.begin(), order_.end(), Index{0});
  const auto informative =
      std::partition(order_.begin(), order_.end(), [&](Index i) { return std::isfinite(values[i]); });
  // Comparing indices last makes the unstable sort stable; std::stable_sort would allocate.
  std::sort(order_.begin(), informative,
            [&](Index i, Index j) { return values[i] < values[j] || (values[i] == values[j] && i < j); });
  std::sort(informative, order_.end());
  return informative != order_.begin();
}

void Ranking::assign(const Vector& rank_weights, Vector& candidate_weights) const {
  for (std::size_t k = 0; k < order_.size(); ++k) candidate_weights[order_[k]] = rank_weights[static_cast<Index>(k)];
}

}  // namespace surefoot
