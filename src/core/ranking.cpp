#include "core/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace surefoot {

Ranking::Ranking(Index popsize) : order_(static_cast<std::size_t>(popsize)) { finite_.reserve(order_.size()); }

bool Ranking::sort(const Vector& values) {
  finite_.clear();
  auto last = order_.end();
  for (Index i = values.size(); i-- > 0;) {  // backwards, so that the others fill the end in sampling order
    if (std::isfinite(values[i])) {
      finite_.push_back({values[i], i});
    } else {
      *--last = i;
    }
  }
  // Comparing candidates last makes the unstable sort stable; std::stable_sort would allocate.
  std::sort(finite_.begin(), finite_.end(), [](const Ranked& a, const Ranked& b) {
    return a.value < b.value || (a.value == b.value && a.candidate < b.candidate);
  });
  std::transform(finite_.begin(), finite_.end(), order_.begin(), [](const Ranked& r) { return r.candidate; });
  return !finite_.empty();
}

void Ranking::assign(const Vector& rank_weights, Vector& candidate_weights) const {
  for (std::size_t k = 0; k < order_.size(); ++k) candidate_weights[order_[k]] = rank_weights[static_cast<Index>(k)];
}

}  // namespace surefoot
