#include <Random123/philox.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "surefoot/normal_source.hpp"

// A normal must be the same number on every machine, so this file calls no libm function but sqrt, which IEEE 754
// defines exactly; the build switches contraction to fused multiply-add off. The loops have no branches, so that
// compilers vectorise them.

namespace surefoot {
namespace {

using Bits = std::uint64_t;

constexpr Bits one_bits = 0x3ff0000000000000;  // of the double 1

/// The 52 leading bits as a number in [0, 1).
double unit_interval(Bits bits) { return std::bit_cast<double>((bits >> 12U) | one_bits) - 1; }

/// ln(u) for u in [2^-52, 1], error below 2 ulp.
double log_unit(double u) {
  // u = 2^k m with m in [sqrt(1/2), sqrt(2)); k + 1023 is the exponent of the shifted bits.
  constexpr Bits root_half_bits = 0x3fe6a09e667f3bcd;
  const Bits shifted = std::bit_cast<Bits>(u) - root_half_bits + one_bits;
  const Bits exponent = shifted >> 52U;
  const double m = std::bit_cast<double>(std::bit_cast<Bits>(u) - ((exponent - 1023U) << 52U));
  // Small integers become doubles by way of the mantissa of 2^52: vector units lack the conversion from 64 bits.
  constexpr Bits two52_bits = 0x4330000000000000;
  constexpr double two52 = 4503599627370496.0;
  const double k = std::bit_cast<double>(two52_bits | exponent) - two52 - 1023;

  // ln m = 2 artanh(s) = 2 (s + s^3/3 + s^5/5 + ...), |s| <= 0.172: s^23/23 is below rounding.
  const double s = (m - 1) / (m + 1);
  const double s2 = s * s;
  double tail = 1.0 / 21;
  tail = tail * s2 + 1.0 / 19;
  tail = tail * s2 + 1.0 / 17;
  tail = tail * s2 + 1.0 / 15;
  tail = tail * s2 + 1.0 / 13;
  tail = tail * s2 + 1.0 / 11;
  tail = tail * s2 + 1.0 / 9;
  tail = tail * s2 + 1.0 / 7;
  tail = tail * s2 + 1.0 / 5;
  tail = tail * s2 + 1.0 / 3;
  return k * std::numbers::ln2 + (2 * s + 2 * s * s2 * tail);
}

/// sin(a) for |a| <= pi/4 by its series; a^19/19! is below rounding.
double sin_octant(double a) {
  const double a2 = a * a;
  double tail = 1.0 / 355687428096000;  // 1/17!
  tail = tail * a2 - 1.0 / 1307674368000;
  tail = tail * a2 + 1.0 / 6227020800;
  tail = tail * a2 - 1.0 / 39916800;
  tail = tail * a2 + 1.0 / 362880;
  tail = tail * a2 - 1.0 / 5040;
  tail = tail * a2 + 1.0 / 120;
  tail = tail * a2 - 1.0 / 6;
  return a + a * a2 * tail;
}

/// cos(a) for |a| <= pi/4 by its series; a^18/18! is below rounding.
double cos_octant(double a) {
  const double a2 = a * a;
  double tail = 1.0 / 20922789888000;  // 1/16!
  tail = tail * a2 - 1.0 / 87178291200;
  tail = tail * a2 + 1.0 / 479001600;
  tail = tail * a2 - 1.0 / 3628800;
  tail = tail * a2 + 1.0 / 40320;
  tail = tail * a2 - 1.0 / 720;
  tail = tail * a2 + 1.0 / 24;
  tail = tail * a2 - 1.0 / 2;
  return 1 + a2 * tail;
}

constexpr std::size_t chunk = 64;  // pairs of normals computed together

struct Pairs {
  std::array<Bits, chunk> radius_bits;
  std::array<Bits, chunk> angle_bits;
  std::array<double, chunk> first;
  std::array<double, chunk> second;
};

/// Box-Muller: r (cos a, sin a) with r = sqrt(-2 ln u). The angle is a quadrant, taken from two bits, plus a uniform
/// angle in [-pi/4, pi/4): no range reduction is needed.
void box_muller(Pairs& pairs) {
  for (std::size_t i = 0; i < chunk; ++i) {
    const double u = 1 - unit_interval(pairs.radius_bits[i]);
    const double r = std::sqrt(-2 * log_unit(u));
    const Bits bits = pairs.angle_bits[i];
    const double a = std::numbers::pi / 2 * (unit_interval(bits << 2U) - 0.5);
    const Bits c = std::bit_cast<Bits>(cos_octant(a));
    const Bits s = std::bit_cast<Bits>(sin_octant(a));
    // Quadrants 0 to 3 turn (c, s) into (c, s), (-s, c), (-c, -s), (s, -c).
    const Bits odd = (bits >> 62U) & 1U;
    const Bits high = bits >> 63U;
    const Bits swap = (c ^ s) & (Bits{0} - odd);
    pairs.first[i] = r * std::bit_cast<double>((c ^ swap) ^ ((odd ^ high) << 63U));
    pairs.second[i] = r * std::bit_cast<double>((s ^ swap) ^ (high << 63U));
  }
}

/// The 128-bit counter: 32 bits of run, 48 of generation, 24 of candidate, 24 of the pair of coordinates.
philox4x32_ctr_t counter(std::uint32_t run, std::uint64_t generation, std::uint64_t candidate, std::uint64_t pair) {
  const auto low = static_cast<std::uint32_t>(generation);
  const auto high = static_cast<std::uint32_t>((generation >> 32U) & 0xffffU);
  return {
      {run, low, high | static_cast<std::uint32_t>((candidate & 0xffffU) << 16U),
       static_cast<std::uint32_t>((candidate >> 16U) & 0xffU) | static_cast<std::uint32_t>((pair & 0xffffffU) << 8U)}};
}

}  // namespace

void CounterNormals::fill(std::uint64_t generation, Eigen::Ref<Matrix> z) {
  const philox4x32_key_t key = {{static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32U)}};
  const auto d = static_cast<std::size_t>(z.rows());
  const std::size_t pairs_per_candidate = (d + 1) / 2;
  const std::size_t total = pairs_per_candidate * static_cast<std::size_t>(z.cols());

  Pairs pairs{};
  for (std::size_t begin = 0; begin < total; begin += chunk) {
    const std::size_t count = std::min(chunk, total - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t k = begin + i;
      const philox4x32_ctr_t word =
          philox4x32(counter(run_, generation, k / pairs_per_candidate, k % pairs_per_candidate), key);
      pairs.radius_bits[i] = word.v[0] | (Bits{word.v[1]} << 32U);
      pairs.angle_bits[i] = word.v[2] | (Bits{word.v[3]} << 32U);
    }
    box_muller(pairs);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t k = begin + i;
      const std::size_t row = 2 * (k % pairs_per_candidate);
      const auto column = static_cast<Index>(k / pairs_per_candidate);
      z(static_cast<Index>(row), column) = pairs.first[i];
      if (row + 1 < d) z(static_cast<Index>(row + 1), column) = pairs.second[i];
    }
  }
}

}  // namespace surefoot
