#pragma once

/// \file
/// Numbers as unevaluated sums of two doubles, by basic operations only [Dekker1971].

#include "core/linear_algebra/pack.hpp"

namespace surefoot {

struct DoubleDouble {
  double high, low;
};

/// a + b exactly, for any a and b.
inline DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// a + b exactly, for |a| >= |b| or a = 0.
inline DoubleDouble ordered_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// The upper 26 bits of a; |a| must be below 2^995.
inline double upper_half(double a) {
  const double spread = 134217729 * a;  // 2^27 + 1
  return spread - (spread - a);
}

/// a b exactly, unless a part of it underflows. No fused operation, because not every processor has one.
inline DoubleDouble exact_product(double a, double b) {
  const double product = a * b;
  const double a1 = upper_half(a);
  const double b1 = upper_half(b);
  const double a2 = a - a1;
  const double b2 = b - b1;
  return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

inline DoubleDouble product(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble p = exact_product(a.high, b.high);
  return ordered_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

}  // namespace surefoot
