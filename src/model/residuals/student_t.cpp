#include "model/residuals/student_t.hpp"

#include <cmath>
#include <limits>

#include "core/elementary/elementary.hpp"

namespace surefoot {
namespace {

constexpr double smallest = 1e-300;

double away_from_zero(double x) { return std::abs(x) < smallest ? smallest : x; }

/// The continued fraction of the incomplete beta function by Lentz's method [DLMF, 8.17.22].
double beta_fraction(double a, double b, double x) {
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double result = d;
  for (int m = 1; m < 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    result *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    result *= d * c;
    if (std::abs(d * c - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return result;
}

/// ln Gamma(x) by Stirling's series [DLMF, 5.11.1], far enough out by the recurrence.
double log_gamma(double x) {
  double shift = 0;
  for (; x < 20; x += 1) shift += elementary::log(x);
  const double y = 1 / (x * x);
  const double series = (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y / 1680))) / x;
  constexpr double half_log_two_pi = 0.91893853320467274;
  return (x - 0.5) * elementary::log(x) - x + half_log_two_pi + series - shift;
}

/// The regularised incomplete beta function I_x(a, b).
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  const double log_front = log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * elementary::log(x) +
                           b * elementary::log1p(-x) - elementary::log(a);
  return elementary::exp(log_front) * beta_fraction(a, b, x);
}

/// P(T > t), t >= 0.
double upper_tail(double t, double freedom) {
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;
}

}  // namespace

double student_quantile(double p, double freedom) {
  double low = 0;
  double high = 1;
  while (upper_tail(high, freedom) > 1 - p && high < 1e300) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (upper_tail(middle, freedom) > 1 - p ? low : high) = middle;
  }
  return high;
}

}  // namespace surefoot
