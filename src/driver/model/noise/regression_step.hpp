#pragma once

#include "driver/model/noise/regression_window.hpp"
#include "driver/model/noise/repeat_noise.hpp"

namespace surefoot {

/// Where a regression search samples next: around the window's minimum, so wide that the function varies about as much
/// as the noise. What a quadratic misses becomes visible as evaluations grow in number, and the distribution narrower.
/// `largest` is the largest scale.
Axes next_frame(const RegressionWindow& window, const Axes& present, const RepeatNoise& repeats,
                std::optional<double> known_deviation, std::int64_t evaluations, double largest);

}  // namespace surefoot
