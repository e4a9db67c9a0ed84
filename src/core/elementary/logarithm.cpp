#include <array>
#include <cmath>
#include <limits>

#include "core/elementary/double_double.hpp"
#include "core/elementary/elementary.hpp"
#include "core/elementary/exp_of_sum.hpp"
#include "core/elementary/kernels.hpp"

namespace surefoot {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
constexpr double smallest_normal = std::numeric_limits<double>::min();

/// ln(x) to some 63 bits for positive finite x. The first two terms of 2 (s + s^3/3 + s^5/5 + ...) are sums of two
/// doubles; the others are below 2^-12 of the first.
DoubleDouble precise_log(double x) {
  const bool subnormal = x < smallest_normal;
  const LogReduction<double> r(subnormal ? x * 0x1p54 : x);
  const double k = subnormal ? r.k - 54 : r.k;
  const double f = r.m - 1;  // exact
  const DoubleDouble below = exact_sum(r.m, 1);
  const double quotient = f / below.high;
  const DoubleDouble back = exact_product(quotient, below.high);
  const double rest = ((f - back.high) - back.low) - quotient * below.low;
  const DoubleDouble s = ordered_sum(quotient, rest / below.high);
  const DoubleDouble s2 = product(s, s);
  const DoubleDouble s3 = product(s, s2);
  const DoubleDouble third = product(s3, {1.0 / 3, 0x1.5555555555555p-56});
  const double tail = s3.high * s2.high * artanh_tail<double>(s2.high, (1.0 / 25 * s2.high + 1.0 / 23) * s2.high);
  const DoubleDouble series = ordered_sum(s.high, third.high);
  const double series_low = series.low + (s.low + (third.low + tail));
  const DoubleDouble sum = exact_sum(k * ln2_high, 2 * series.high);
  return ordered_sum(sum.high, sum.low + (k * ln2_low + 2 * series_low));
}

enum class Parity { none, even, odd };

/// Of an integer; none for other numbers.
Parity parity(double y) {
  if (std::trunc(y) != y) return Parity::none;
  return std::trunc(y / 2) == y / 2 ? Parity::even : Parity::odd;
}

/// x^y where x is zero or infinite, or y is infinite.
double extreme_power(double x, double y, double sign) {
  if (std::isinf(y)) return (std::abs(x) > 1) == (y > 0) ? infinity : 0;
  return sign * ((x == 0) == (y > 0) ? 0 : infinity);
}

}  // namespace

namespace elementary {

double log(double x) {
  if (x >= smallest_normal && x < infinity) return log_kernel<double>(x);
  if (std::isnan(x) || x == infinity) return x;
  if (x == 0) return -infinity;
  if (x < 0) return undefined;
  const double scaled = x * 0x1p54;
  return log_kernel<double>(scaled) - 54 * (ln2_high + ln2_low);
}

double log1p(double x) {
  if (!(x > -1 && x < infinity)) return log(1 + x);
  if (std::abs(x) < 0x1p-54) return x;
  const DoubleDouble sum = exact_sum(1, x);
  return log(sum.high) + sum.low / sum.high;
}

double log10(double x) {
  if (!(x > 0 && x < infinity)) return log(x);
  const DoubleDouble result = product(precise_log(x), {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
  return result.high + result.low;
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return x + y;
  const Parity y_is = std::signbit(x) ? parity(y) : Parity::even;
  const double sign = y_is == Parity::odd ? -1 : 1;
  if (x == -1 && std::isinf(y)) return 1;
  if (x == 0 || std::isinf(x) || std::isinf(y)) return extreme_power(x, y, sign);
  if (x < 0 && y_is == Parity::none) return undefined;
  const DoubleDouble l = precise_log(std::abs(x));
  if (l.high == 0) return sign;  // x = -1
  // Powers that surely overflow, underflow or are 1 need no exact product, which would overflow or underflow.
  const double exponent = l.high * y;
  if (exponent > 1000) return sign * infinity;
  if (exponent < -1000) return sign * 0.0;
  if (std::abs(exponent) < 0x1p-60) return sign;
  const DoubleDouble p = exact_product(l.high, y);
  return sign * exp_of_sum(p.high, p.low + l.low * y);
}

double mean_log(const double* numbers, Index count) {
  double sum = 0;
  for (Index i = 0; i < count; ++i) sum += log(numbers[i]);
  return sum / static_cast<double>(count);
}

}  // namespace elementary
}  // namespace surefoot
