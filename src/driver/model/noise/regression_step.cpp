#include "driver/model/noise/regression_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/dense_products.hpp"

namespace surefoot {
namespace {

constexpr double widest_step = 1.3;
constexpr double narrowest_step = 0.4;

/// Lengths along the window's directions, with a geometric mean of 1: inverse roots of the curvatures, which are
/// believed to a factor of 4 on both sides of their mean.
Vector lengths_of(const Vector& curvatures) {
  const double mean = curvatures.mean();
  if (!(mean > 0)) return Vector::Ones(curvatures.size());
  const Vector h = curvatures.array().max(mean / 4).min(mean * 4);
  return (h / elementary::exp(elementary::mean_log(h))).array().rsqrt();
}

/// Residuals that are larger than repeats explain show what the quadratic misses.
double narrowing_by_misfit(const RegressionWindow& window, double noise, Index pairs) {
  constexpr double tolerated = 0.2;
  if (pairs < 3 || !(noise > 0)) return std::numeric_limits<double>::infinity();
  const double ratio = window.deviation() / noise;
  const double misfit = ratio * ratio - 1;
  const double chance = 2 * std::sqrt(2 / window.count() + 2 / static_cast<double>(pairs));
  if (!(misfit > tolerated + chance)) return std::numeric_limits<double>::infinity();
  return elementary::pow(tolerated / misfit, 1.0 / 6);
}

}  // namespace

Axes next_frame(const RegressionWindow& window, const Axes& present, const RepeatNoise& repeats,
                std::optional<double> known_deviation, std::int64_t evaluations, double largest) {
  const auto d = static_cast<double>(present.origin.size());
  const double scale = present.scale();
  const double of_window = window.frame().scale() / scale;
  const bool has_noise = known_deviation || repeats.count() > 0;
  const double repeated = known_deviation.value_or(repeats.deviation());
  double size = widest_step;
  if (window.is_interior() && window.curvatures().mean() > 0) {
    const double noise = has_noise ? std::min(repeated, window.deviation()) : window.deviation();
    const double share = 1 / std::sqrt(std::max(1.0, static_cast<double>(evaluations) / (50 * d)));
    size = std::sqrt(share * noise / std::max(window.signal(), std::numeric_limits<double>::min()));
    const Index pairs = known_deviation ? 1000000 : repeats.count();
    size = std::min(size, narrowing_by_misfit(window, repeated, pairs)) * of_window;
  }
  const double step = std::min(std::clamp(size, narrowest_step, widest_step), largest / scale);
  const Matrix shape = product_transposed(
      product(window.directions(), Matrix(lengths_of(window.curvatures()).asDiagonal())), window.directions());
  return {window.minimum(), (step / of_window) * product(window.frame().axes, shape)};
}

}  // namespace surefoot
