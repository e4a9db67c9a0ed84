#include "core/linear_algebra/rank_one_eigenvalues.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace surefoot {

RankOneEigenvalues::RankOneEigenvalues(const Vector& squares, const Vector& u)
    : poles_(squares.size()), weights_(squares.size()) {
  std::vector<Index> order(static_cast<std::size_t>(squares.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return squares[a] < squares[b] || (squares[a] == squares[b] && a < b); });
  for (Index k = 0; k < squares.size(); ++k) {
    const Index j = order[static_cast<std::size_t>(k)];
    poles_[k] = squares[j];
    weights_[k] = u[j] * u[j];
  }
}

/// 1 + sum_j u_j^2/(squares_j - x) grows from minus to plus infinity between two poles.
bool RankOneEigenvalues::is_below(double x) const { return 1 + (weights_.array() / (poles_.array() - x)).sum() < 0; }

double RankOneEigenvalues::operator()(Index k) const {
  double low = poles_[k];
  double high = k + 1 < poles_.size() ? poles_[k + 1] : low + weights_.sum();
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    if (!(low < middle && middle < high)) break;
    (is_below(middle) ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace surefoot
