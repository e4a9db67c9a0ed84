#include "driver/model/noise/robust_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace surefoot {
namespace {

constexpr double of_normals = 1.4826;  // the standard deviation in units of the median absolute deviation

Vector clipped_values(const Vector& y) {
  const double middle = median_of(y);
  const double reach = 8 * of_normals * median_of((y.array() - middle).abs());
  if (!(reach > 0)) return y;
  return y.array().max(middle - reach).min(middle + reach);
}

/// Of the residuals of points that count.
double deviation_of(const Vector& residuals, const RidgeRegression& regression, double dof) {
  constexpr double least_weight = 0.2;
  constexpr Index enough = 8;
  Vector sizes(residuals.size());
  Index count = 0;
  for (Index i = 0; i < residuals.size(); ++i) {
    if (regression.weights()[i] > least_weight) sizes[count++] = std::abs(residuals[i]);
  }
  if (count < enough) return 0;
  const double n = regression.count();
  return of_normals * median_of(sizes.head(count)) * std::sqrt(n / std::max(1.0, n - dof));
}

}  // namespace

double median_of(Vector numbers) {
  if (numbers.size() == 0) return 0;
  double* const middle = numbers.data() + numbers.size() / 2;
  std::nth_element(numbers.data(), middle, numbers.data() + numbers.size());
  return *middle;
}

RidgeFit robust_fit(const RidgeRegression& regression, const Matrix& features, const Vector& y) {
  constexpr int rounds = 4;
  Vector clipped = clipped_values(y);
  RidgeFit fit = regression.fit(clipped);
  for (int round = 0; round < rounds; ++round) {
    const Vector fitted = features.transpose() * fit.coefficients;
    const Vector residuals = y - fitted;
    const double reach = 3 * deviation_of(residuals, regression, fit.dof);
    if (!(reach > 0)) break;
    for (Index i = 0; i < y.size(); ++i) {
      const double size = std::abs(residuals[i]);
      clipped[i] = size <= reach ? y[i] : fitted[i] + (size > 2 * reach ? 0.0 : std::copysign(reach, residuals[i]));
    }
    fit = regression.fit(clipped);
    if (clipped == y) break;
  }
  return fit;
}

}  // namespace surefoot
