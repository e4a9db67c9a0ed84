#include "driver/model/noise/nested_windows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace surefoot {
namespace {

/// Numbers of points: each half as many again as the one before, the last one all.
std::vector<Index> sizes_of(Index count, Index d) {
  constexpr std::size_t most = 8;
  std::vector<Index> sizes;
  for (Index n = 4 * (d + 2); n < count; n = (3 * n + 1) / 2) sizes.push_back(n);
  sizes.push_back(count);
  if (sizes.size() > most) sizes.erase(sizes.begin(), sizes.end() - most);
  return sizes;
}

std::vector<Index> by_distance(const Matrix& points, const Axes& frame) {
  const Vector squares = frame.to_frame(points).colwise().squaredNorm();
  std::vector<Index> order(static_cast<std::size_t>(points.cols()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return squares[a] < squares[b]; });
  return order;
}

/// By how much a narrower window says that this minimum is worse than its own, beyond what noise explains.
double contradiction(const RegressionWindow& narrower, const RegressionWindow& window) {
  const auto [value, error] = narrower.height(window.minimum());
  return value - narrower.expected_loss() / 2 - error / 2;
}

}  // namespace

std::optional<RegressionWindow> best_window(const Matrix& points, const Vector& values, const Axes& frame) {
  if (points.cols() == 0) return std::nullopt;
  const std::vector<Index> order = by_distance(points, frame);
  Matrix sorted(points.rows(), points.cols());
  Vector sorted_values(points.cols());
  for (Index i = 0; i < points.cols(); ++i) {
    sorted.col(i) = points.col(order[static_cast<std::size_t>(i)]);
    sorted_values[i] = values[order[static_cast<std::size_t>(i)]];
  }
  std::vector<RegressionWindow> windows;
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const Index n : sizes_of(points.cols(), points.rows())) {
    auto window = RegressionWindow::fit(sorted.leftCols(n), sorted_values.head(n), frame);
    if (!window) continue;
    double bias = 0;
    for (const RegressionWindow& narrower : windows) bias = std::max(bias, contradiction(narrower, *window));
    const double loss = window->expected_loss() + bias;
    windows.push_back(*std::move(window));
    if (!(loss < least)) continue;
    least = loss;
    best = windows.size() - 1;
  }
  if (windows.empty()) return std::nullopt;
  return std::move(windows[best]);
}

}  // namespace surefoot
