#include <cmath>
#include <limits>

#include "core/elementary/double_double.hpp"
#include "core/elementary/elementary.hpp"
#include "core/elementary/exp_of_sum.hpp"
#include "core/elementary/kernels.hpp"

namespace surefoot {
namespace {

constexpr double overflown = std::numeric_limits<double>::infinity();
constexpr double kernel_limit = 700;

/// a 2^k, rounded once: |k| may be beyond the range of exponents.
double scaled(double a, double k) {
  const double half = std::trunc(k / 2);
  const auto power = [](double exponent) {
    return bits_as<double>(static_cast<std::uint64_t>(static_cast<std::int64_t>(exponent) + 1023) << 52U);
  };
  if (k > -1000) return a * power(half) * power(k - half);
  return a * power(k + 100) * power(-100);
}

}  // namespace

double exp_of_sum(double high, double low) {
  if (std::isnan(high)) return high;
  if (high > 710) return overflown;
  if (high < -746) return 0;
  const ExpReduction<double> r(high, low);
  return scaled(exp_of_rest<double>(r.rest, r.error), r.shifted - round_to_integer);
}

namespace elementary {

double exp(double x) { return std::abs(x) <= kernel_limit ? exp_kernel<double>(x) : exp_of_sum(x, 0); }

double expm1(double x) {
  if (!(std::abs(x) < 38)) return exp(x) - 1;
  if (x == 0) return x;  // keeps the sign
  if (std::abs(x) < 0.34) return x + exp_remainder<double>(x);
  // 2^k (1 + rest + ...) - 1 with the exact 2^k - 1.
  const ExpReduction<double> r(x, 0);
  const double power = std::ldexp(1, static_cast<int>(r.shifted - round_to_integer));
  const DoubleDouble sum = exact_sum(power - 1, power * r.rest);
  return sum.high + (sum.low + power * (r.error + exp_remainder<double>(r.rest)));
}

double tanh(double x) {
  if (std::abs(x) > 22) return std::copysign(1.0, x);
  const double grown = expm1(2 * std::abs(x));
  return std::copysign(grown / (grown + 2), x);
}

void exp_all(double* numbers, Index count) {
  bool ordinary = true;
  for (Index i = 0; i < count; ++i) ordinary = ordinary && std::abs(numbers[i]) <= kernel_limit;
  if (!ordinary) {
    for (Index i = 0; i < count; ++i) numbers[i] = exp(numbers[i]);
    return;
  }
  for_all(count, [numbers](auto real, Index i) SUREFOOT_KERNEL {
    using Real = typename decltype(real)::type;
    store(numbers + i, exp_kernel<Real>(load<Real>(numbers + i)));
  });
}

}  // namespace elementary
}  // namespace surefoot
