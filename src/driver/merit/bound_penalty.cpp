#include "driver/merit/bound_penalty.hpp"

#include <algorithm>

#include "core/ranking/rank_information.hpp"

namespace surefoot {
namespace {

// The strength was chosen on spheres, ellipsoids and Rosenbrocks with optima inside, near, on and beyond the bounds
// (docs/explanation/bounds.md). A strength of 1 is slow near a bound, one of 8 is slow where the optimum is beyond a
// bound.
constexpr double strength = 3;

/// Approximate expectation of the k-th smallest of n normals, with k counted from 0 [Blom1958].
double normal_score(double k, double n) { return normal_quantile((k + 0.625) / (n + 0.25)); }

}  // namespace

const Vector& BoundPenalty::of(const Vector& f, const Generation& /*outcomes*/, const Matrix& points,
                               const Distribution& distribution) {
  distribution.deviations(deviations_);
  if (!domain_.excess(points, deviations_, squares_)) return f;
  return penalised(f, squares_, points.rows());
}

const Vector& BoundPenalty::penalised(const Vector& values, const Vector& squared_excess, Index dimension) {
  order_.clear();
  for (Index i = 0; i < values.size(); ++i) {
    if (is_finite(values[i])) order_.push_back(i);
  }
  std::sort(order_.begin(), order_.end(), [&](Index a, Index b) { return values[a] < values[b]; });
  merits_ = values;
  const auto n = static_cast<double>(order_.size());
  for (std::size_t begin = 0; begin < order_.size();) {
    std::size_t end = begin + 1;
    while (end < order_.size() && values[order_[end]] == values[order_[begin]]) ++end;
    const double score = normal_score(static_cast<double>(begin + end - 1) / 2, n);
    for (std::size_t k = begin; k < end; ++k) {
      merits_[order_[k]] = score + strength * squared_excess[order_[k]] / static_cast<double>(dimension);
    }
    begin = end;
  }
  return merits_;
}

}  // namespace surefoot
