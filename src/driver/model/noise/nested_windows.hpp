#pragma once

#include <optional>

#include "driver/model/noise/regression_window.hpp"

namespace surefoot {

/// The best of regressions in nested windows around the origin of a frame: a wide window averages more noise away, and
/// is refused where narrower ones contradict its minimum, because there the function is no quadratic any more [Lepski].
/// Nothing if there are too few points.
std::optional<RegressionWindow> best_window(const Matrix& points, const Vector& values, const Axes& frame);

}  // namespace surefoot
