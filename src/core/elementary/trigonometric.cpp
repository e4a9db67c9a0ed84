#include <cmath>

#include "core/elementary/double_double.hpp"
#include "core/elementary/elementary.hpp"
#include "core/elementary/kernels.hpp"
#include "core/linear_algebra/trigonometry.hpp"

namespace surefoot {
namespace {

constexpr double quarters_per_radian = 0x1.45f306dc9c883p-1;  // 2/pi

/// An angle as a number of quarter turns, of which two bits matter, and a rest in [-pi/4, pi/4].
struct Quadrant {
  int number;
  DoubleDouble rest;
};

/// pi/2 in parts of 33 bits, so that products with k < 2^20 are exact.
DoubleDouble small_rest(double x, double k) {
  const double first = x - k * 0x1.921fb544p+0;
  const DoubleDouble second = exact_sum(first, -(k * 0x1.0b4611a6p-34));
  return ordered_sum(second.high, second.low - k * 0x1.3198a2e037073p-69);
}

DoubleDouble large_rest(double x, double k) {
  const DoubleDouble first = exact_product(k, 0x1.921fb54442d18p+0);
  const DoubleDouble second = exact_product(k, 0x1.1a62633145c07p-54);
  DoubleDouble rest = exact_sum(x - first.high, -first.low);  // x - first.high is exact
  rest.low -= second.low + k * -0x1.f1976b7ed8fbcp-110;
  const DoubleDouble without = exact_sum(rest.high, -second.high);
  return exact_sum(without.high, without.low + rest.low);
}

Quadrant reduced(double x) {
  if (!(std::abs(x) < 0x1p51)) x = std::fmod(x, 0x1p51);  // NaN for infinite x
  const double k = (x * quarters_per_radian + round_to_integer) - round_to_integer;
  if (std::isnan(k)) return {0, {k, 0}};
  const int number = static_cast<int>(k - 4 * std::floor(k / 4));
  return {number, std::abs(k) < 0x1p20 ? small_rest(x, k) : large_rest(x, k)};
}

/// Of the quadrant, after a turn by some quarters.
double sine(const Quadrant& q, int turn) {
  const int number = (q.number + turn) & 3;
  const auto s = sin_octant<double>(q.rest.high);
  const auto c = cos_octant<double>(q.rest.high);
  const double value = number % 2 == 0 ? s + q.rest.low * c : c - q.rest.low * s;
  return number < 2 ? value : -value;
}

}  // namespace

namespace elementary {

double sin(double x) { return x == 0 ? x : sine(reduced(x), 0); }
double cos(double x) { return sine(reduced(x), 1); }

}  // namespace elementary
}  // namespace surefoot
