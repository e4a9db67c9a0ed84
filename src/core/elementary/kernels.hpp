#pragma once

/// \file
/// Exponential and logarithm in packs, for arguments without special cases. Single numbers and packs get the same bits.

#include <cstdint>

#include "core/linear_algebra/pack.hpp"

namespace surefoot {

constexpr double ln2_high = 0x1.62e42feep-1;  // 32 bits: its products with exponents are exact
constexpr double ln2_low = 0x1.a39ef35793c76p-33;
constexpr double round_to_integer = 6755399441055744;  // 1.5 2^52: the sum with it is rounded to an integer

/// The bits of a pack of doubles, or of one.
template <class Real>
struct BitsOf;
template <>
struct BitsOf<double> {
  using Type = std::uint64_t;
};
template <>
struct BitsOf<NarrowPacks::Real> {
  using Type = NarrowPacks::Bits;
};
template <>
struct BitsOf<WidePacks::Real> {
  using Type = WidePacks::Bits;
};

/// e^r - 1 - r for |r| <= 0.35 by its series; r^14/14! is below rounding.
template <class Real>
SUREFOOT_INLINE Real exp_remainder(const Real& r) {
  Real tail = 1.0 / 6227020800 * r + 1.0 / 479001600;  // 1/13!, 1/12!
  tail = tail * r + 1.0 / 39916800;
  tail = tail * r + 1.0 / 3628800;
  tail = tail * r + 1.0 / 362880;
  tail = tail * r + 1.0 / 40320;
  tail = tail * r + 1.0 / 5040;
  tail = tail * r + 1.0 / 720;
  tail = tail * r + 1.0 / 120;
  tail = tail * r + 1.0 / 24;
  tail = tail * r + 1.0 / 6;
  tail = tail * r + 1.0 / 2;
  return r * r * tail;
}

/// x + low = k ln 2 + rest + error with an integer k.
template <class Real>
struct ExpReduction {
  SUREFOOT_INLINE ExpReduction(const Real& x, const Real& low) : shifted(x * 0x1.71547652b82fep+0 + round_to_integer) {
    const Real k = shifted - round_to_integer;
    const Real whole = x - k * ln2_high;  // exact
    const Real correction = low - k * ln2_low;
    rest = whole + correction;
    const Real part = rest - whole;
    error = (whole - (rest - part)) + (correction - part);
  }

  Real shifted;  // its last bits are k
  Real rest, error;
};

/// e^(rest + error), in [0.7, 1.42].
template <class Real>
SUREFOOT_INLINE Real exp_of_rest(const Real& rest, const Real& error) {
  const Real sum = 1 + rest;
  return sum + ((rest - (sum - 1)) + (error + exp_remainder<Real>(rest)));
}

/// e^x for |x| <= 700, error below 0.6 ulp.
template <class Real>
SUREFOOT_INLINE Real exp_kernel(const Real& x) {
  using Bits = typename BitsOf<Real>::Type;
  const ExpReduction<Real> r(x, 0 * x);
  return exp_of_rest<Real>(r.rest, r.error) * bits_as<Real>((bits_as<Bits>(r.shifted) + 1023U) << 52U);
}

/// x = 2^k m with m in [sqrt(1/2), sqrt(2)), for positive normal x.
template <class Real>
struct LogReduction {
  using Bits = typename BitsOf<Real>::Type;

  SUREFOOT_INLINE explicit LogReduction(const Real& x) {
    constexpr std::uint64_t root_half_bits = 0x3fe6a09e667f3bcd;
    constexpr std::uint64_t one_bits = 0x3ff0000000000000;
    const Bits exponent = (bits_as<Bits>(x) - root_half_bits + one_bits) >> 52U;  // k + 1023
    m = bits_as<Real>(bits_as<Bits>(x) - ((exponent - 1023U) << 52U));
    // Small integers become doubles by way of the mantissa of 2^52: vector units lack the conversion from 64 bits.
    constexpr std::uint64_t two52_bits = 0x4330000000000000;
    k = bits_as<Real>(two52_bits | exponent) - 4503599627370496.0 - 1023;
  }

  Real k, m;
};

/// 1/5 + s2 (1/7 + s2 (...)), the tail of artanh, up to s^21/21 or, with beyond = (1/25 s2 + 1/23) s2, to s^25/25.
template <class Real>
SUREFOOT_INLINE Real artanh_tail(const Real& s2, const Real& beyond) {
  Real tail = (beyond + 1.0 / 21) * s2 + 1.0 / 19;
  tail = tail * s2 + 1.0 / 17;
  tail = tail * s2 + 1.0 / 15;
  tail = tail * s2 + 1.0 / 13;
  tail = tail * s2 + 1.0 / 11;
  tail = tail * s2 + 1.0 / 9;
  tail = tail * s2 + 1.0 / 7;
  return tail * s2 + 1.0 / 5;
}

/// ln(x) for positive normal x, error below 1 ulp. With f = m - 1 and s = f/(2 + f), ln m = 2 artanh(s), and
/// 2 s = f - s f shows the exact f as the leading term.
template <class Real>
SUREFOOT_INLINE Real log_kernel(const Real& x) {
  const LogReduction<Real> r(x);
  const Real f = r.m - 1;
  const Real s = f / (2 + f);
  const Real s2 = s * s;
  const Real half_square = 0.5 * f * f;
  const Real tail = s * (half_square + 2 * s2 * (artanh_tail<Real>(s2, 0 * s2) * s2 + 1.0 / 3)) + r.k * ln2_low;
  return r.k * ln2_high - ((half_square - tail) - f);
}

}  // namespace surefoot
