#pragma once

#include "driver/model/noise/ridge_regression.hpp"

namespace surefoot {

/// The median of numbers; 0 of none.
[[nodiscard]] double median_of(Vector numbers);

/// A fit that outliers do not move: values are clipped to 8 deviations around their median, then residuals to 3 of
/// theirs, and to 0 beyond 6.
RidgeFit robust_fit(const RidgeRegression& regression, const Matrix& features, const Vector& y);

}  // namespace surefoot
