#include "driver/model/noise/growing_noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "driver/model/noise/robust_fit.hpp"

namespace surefoot {
namespace {

/// Points of similar heights.
struct Bins {
  Vector variance;        // of their residuals
  Vector squared_height;  // mean
  Index points = 0;
};

std::vector<Index> points_that_count(const Vector& heights, const Vector& weights, Index d) {
  constexpr double least_weight = 0.1;
  std::vector<Index> points;
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] > least_weight) points.push_back(i);
  }
  if (static_cast<Index>(points.size()) < 8 * (d + 2)) {
    points.resize(static_cast<std::size_t>(weights.size()));
    std::iota(points.begin(), points.end(), 0);
  }
  std::stable_sort(points.begin(), points.end(), [&](Index a, Index b) { return heights[a] < heights[b]; });
  return points;
}

Bins bins_of(const Vector& residuals, const Vector& heights, const std::vector<Index>& points, Index count) {
  Bins bins{Vector(count), Vector(count), static_cast<Index>(points.size())};
  Vector sizes(bins.points);
  for (Index b = 0; b < count; ++b) {
    const Index begin = bins.points * b / count;
    const Index end = bins.points * (b + 1) / count;
    double squares = 0;
    for (Index k = begin; k < end; ++k) {
      const Index i = points[static_cast<std::size_t>(k)];
      sizes[k - begin] = std::abs(residuals[i]);
      squares += heights[i] * heights[i];
    }
    const double deviation = 1.4826 * median_of(sizes.head(end - begin));
    bins.variance[b] = deviation * deviation;
    bins.squared_height[b] = squares / static_cast<double>(end - begin);
  }
  return bins;
}

/// The variance of a variance by the median is 2.7 S^2/count, so weights are 1/S^2 of the line itself.
GrowingNoise line_through(const Bins& bins) {
  constexpr int rounds = 8;
  const Vector& S = bins.variance;
  const Vector& u2 = bins.squared_height;
  GrowingNoise noise{S[0], 0};
  double error = 0;  // of growth
  for (int round = 0; round < rounds; ++round) {
    const Vector w = (noise.base + noise.growth * u2.array() + std::numeric_limits<double>::min()).square().inverse();
    const double a = w.sum();
    const double b = w.dot(u2);
    const double c = (w.array() * u2.array().square()).sum();
    const double f = w.dot(S);
    const double g = (w.array() * u2.array() * S.array()).sum();
    const double determinant = a * c - b * b;
    if (!(determinant > 0) || !std::isfinite(determinant)) return {S.mean(), 0};
    noise = {(f * c - g * b) / determinant, (a * g - f * b) / determinant};
    if (noise.growth < 0) noise = {f / a, 0};
    if (noise.base <= 0) noise = {0.1 * S[0] + std::numeric_limits<double>::min(), g / c};
    error = std::sqrt(2.7 * static_cast<double>(S.size()) / static_cast<double>(bins.points) * a / determinant);
  }
  if (noise.growth < 2 * error) noise.growth = 0;
  return noise;
}

}  // namespace

Vector GrowingNoise::weights(const Vector& heights) const {
  if (!(base > 0) || growth == 0) return Vector::Ones(heights.size());
  return base / (base + growth * heights.array().square());
}

GrowingNoise growing_noise(const Vector& residuals, const Vector& heights, const Vector& weights, Index d) {
  constexpr Index most = 6;
  const std::vector<Index> points = points_that_count(heights, weights, d);
  const Index count = std::min(most, static_cast<Index>(points.size()) / (4 * (d + 2)));
  if (count < 2) return {};
  return line_through(bins_of(residuals, heights, points, count));
}

}  // namespace surefoot
