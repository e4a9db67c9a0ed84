#include "driver/model/noise/repeat_noise.hpp"

#include <cmath>

#include "driver/model/noise/robust_fit.hpp"

namespace surefoot {

void RepeatNoise::add(double a, double b) {
  if (!std::isfinite(a - b)) return;
  differences_.conservativeResize(count() + 1);
  differences_[count() - 1] = std::abs(a - b);
}

double RepeatNoise::difference(Index newest) const { return median_of(differences_.tail(std::min(newest, count()))); }

}  // namespace surefoot
