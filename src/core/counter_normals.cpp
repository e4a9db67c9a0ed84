#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numbers>

#include "core/linear_algebra/pack.hpp"
#include "core/linear_algebra/trigonometry.hpp"
#include "surefoot/normal_source.hpp"

// A normal must be the same number on every machine, so this file calls no libm function but sqrt, which IEEE 754
// defines exactly; the build switches contraction to fused multiply-add off. Everything is computed in packs: a normal
// takes a fifth of the time of the same formulas for single numbers.

namespace surefoot {
namespace {

using Word = std::uint64_t;

constexpr Word one_bits = 0x3ff0000000000000;  // of the double 1

/// The 52 leading bits as a number in [0, 1).
template <class Packs>
SUREFOOT_INLINE auto unit_interval(const typename Packs::Bits& bits) {
  return bits_as<typename Packs::Real>((bits >> 12U) | one_bits) - 1;
}

/// ln(u) for u in [2^-52, 1], error below 2 ulp.
template <class Packs>
SUREFOOT_INLINE auto log_unit(const typename Packs::Real& u) {
  using Real = typename Packs::Real;
  using Bits = typename Packs::Bits;
  // u = 2^k m with m in [sqrt(1/2), sqrt(2)); k + 1023 is the exponent of the shifted bits.
  constexpr Word root_half_bits = 0x3fe6a09e667f3bcd;
  const Bits shifted = bits_as<Bits>(u) - root_half_bits + one_bits;
  const Bits exponent = shifted >> 52U;
  const Real m = bits_as<Real>(bits_as<Bits>(u) - ((exponent - 1023U) << 52U));
  // Small integers become doubles by way of the mantissa of 2^52: vector units lack the conversion from 64 bits.
  constexpr Word two52_bits = 0x4330000000000000;
  constexpr double two52 = 4503599627370496.0;
  const Real k = bits_as<Real>(two52_bits | exponent) - two52 - 1023;

  // ln m = 2 artanh(s) = 2 (s + s^3/3 + s^5/5 + ...), |s| <= 0.172: s^23/23 is below rounding.
  const Real s = (m - 1) / (m + 1);
  const Real s2 = s * s;
  Real tail = 1.0 / 21 * s2 + 1.0 / 19;
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

/// The processor's root. Clang does not let a function for every processor name one of AVX.
template <class Real>
SUREFOOT_INLINE Real root(const Real& x) {
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (lanes<Real> == 4) return __builtin_ia32_sqrtpd256(x);
  if constexpr (lanes<Real> == 8)
    return __builtin_ia32_sqrtpd512_mask(x, Real{}, -1, 4);  // all lanes, rounded as usual
#endif
  Eigen::Array<double, lanes<Real>, 1> numbers;
  store(numbers.data(), x);
  numbers = numbers.sqrt();
  return load<Real>(numbers.data());
}

constexpr std::size_t chunk = 64;                        // pairs of normals computed together
constexpr std::size_t longest = lanes<LongPacks::Real>;  // counters of which chunks are rounded up to whole multiples

/// Random words, which Box and Muller turn into normals. Before, `angle_bits` has the high halves of Philox's counters;
/// their low halves are all the same.
struct Pairs {
  std::array<Word, chunk> radius_bits;
  std::array<Word, chunk> angle_bits;
  std::array<double, chunk> first;
  std::array<double, chunk> second;
};

/// Box-Muller: r (cos a, sin a) with r = sqrt(-2 ln u). The angle is a quadrant, taken from two bits, plus a uniform
/// angle in [-pi/4, pi/4): no range reduction is needed.
template <class Packs>
SUREFOOT_INLINE void box_muller(Pairs& pairs, std::size_t count) {
  using Real = typename Packs::Real;
  using Bits = typename Packs::Bits;
  constexpr std::size_t step = lanes<Real>;
  for (std::size_t i = 0; i < count; i += step) {
    const Real u = 1 - unit_interval<Packs>(load<Bits>(&pairs.radius_bits[i]));
    store(&pairs.first[i], -2 * log_unit<Packs>(u));
  }
  for (std::size_t i = 0; i < count; i += step) {
    const Real r = root<Real>(load<Real>(&pairs.first[i]));
    const Bits bits = load<Bits>(&pairs.angle_bits[i]);
    const Real a = std::numbers::pi / 2 * (unit_interval<Packs>(bits << 2U) - 0.5);
    const Bits c = bits_as<Bits>(cos_octant<Real>(a));
    const Bits s = bits_as<Bits>(sin_octant<Real>(a));
    // Quadrants 0 to 3 turn (c, s) into (c, s), (-s, c), (-c, -s), (s, -c).
    const Bits odd = (bits >> 62U) & 1U;
    const Bits high = bits >> 63U;
    const Bits swap = (c ^ s) & (Word{0} - odd);
    store(&pairs.first[i], r * bits_as<Real>((c ^ swap) ^ ((odd ^ high) << 63U)));
    store(&pairs.second[i], r * bits_as<Real>((s ^ swap) ^ (high << 63U)));
  }
}

struct Key {
  std::uint32_t low, high;
};

#if defined(__x86_64__)
/// The low half of each number, times a word.
template <class Bits>
SUREFOOT_INLINE Bits multiply_low(const Bits& a, std::uint32_t word) {
#if defined(__clang__)
  return (a & Word{0xffffffff}) * Word{word};  // one instruction, which GCC 12 does not find
#else
  using Words [[gnu::vector_size(sizeof(Bits))]] = int;
  const auto x = bits_as<Words>(a);
  const auto y = bits_as<Words>(Bits{} + Word{word});
  if constexpr (sizeof(Bits) == 16) return bits_as<Bits>(__builtin_ia32_pmuludq128(x, y));
  if constexpr (sizeof(Bits) == 32) return bits_as<Bits>(__builtin_ia32_pmuludq256(x, y));
  if constexpr (sizeof(Bits) == 64) {
    using Signed [[gnu::vector_size(64)]] = long long;
    return bits_as<Bits>(__builtin_ia32_pmuludq512_mask(x, y, Signed{}, 0xff));
  }
#endif
}

constexpr std::size_t philox_rounds = 10;

/// The keys of all rounds, which all counters share: they are made once a chunk.
template <class Bits>
struct RoundKeys {
  SUREFOOT_INLINE explicit RoundKeys(Key key) {
    for (std::size_t round = 0; round < philox_rounds; ++round) {
      low[round] = Bits{} + Word{key.low};
      high[round] = Bits{} + Word{key.high};
      key = {key.low + PHILOX_W32_0, key.high + PHILOX_W32_1};
    }
  }

  // NOLINTBEGIN(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays): std::array forgets that packs are packs
  Bits low[philox_rounds];
  Bits high[philox_rounds];
  // NOLINTEND(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays)
};

/// A few packs of counters from number i on, four times as fast as one counter after the other. Each 32-bit word of a
/// counter lies in the low half of a 64-bit lane; what is in the high half does not matter, because products read the
/// low halves only.
template <class Bits, std::size_t packs>
SUREFOOT_INLINE void philox_packs(Pairs& pairs, std::size_t i, Word low, const RoundKeys<Bits>& keys) {
  constexpr std::size_t step = sizeof(Bits) / sizeof(Word);
  // NOLINTBEGIN(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays): std::array forgets that packs are packs
  Bits x0[packs];
  Bits x1[packs];
  Bits x2[packs];
  Bits x3[packs];
  // NOLINTEND(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays)
  const Bits lows = Bits{} + low;
#pragma GCC unroll 2
  for (std::size_t p = 0; p < packs; ++p) {
    x0[p] = lows;
    x2[p] = load<Bits>(&pairs.angle_bits[i + p * step]);
    x1[p] = lows >> 32U;
    x3[p] = x2[p] >> 32U;
  }
  for (std::size_t round = 0; round < philox_rounds; ++round) {
#pragma GCC unroll 2
    for (std::size_t p = 0; p < packs; ++p) {
      const Bits p0 = multiply_low(x0[p], PHILOX_M4x32_0);
      const Bits p1 = multiply_low(x2[p], PHILOX_M4x32_1);
      x0[p] = (p1 >> 32U) ^ (x1[p] ^ keys.low[round]);
      x2[p] = (p0 >> 32U) ^ (x3[p] ^ keys.high[round]);
      x1[p] = p1;
      x3[p] = p0;
    }
  }
#pragma GCC unroll 2
  for (std::size_t p = 0; p < packs; ++p) {
    store(&pairs.radius_bits[i + p * step], (x0[p] & Word{0xffffffff}) | (x1[p] << 32U));
    store(&pairs.angle_bits[i + p * step], (x2[p] & Word{0xffffffff}) | (x3[p] << 32U));
  }
}

/// A round of Philox waits for the one before, so two packs take turns.
template <class Packs>
SUREFOOT_INLINE void philox(Pairs& pairs, std::size_t count, Word low, Key key) {
  using Bits = typename Packs::Bits;
  constexpr std::size_t step = sizeof(Bits) / sizeof(Word);
  const RoundKeys<Bits> keys(key);
  std::size_t i = 0;
  for (; i + step < count; i += 2 * step) philox_packs<Bits, 2>(pairs, i, low, keys);
  if (i < count) philox_packs<Bits, 1>(pairs, i, low, keys);
}
#else
template <class Packs>
void philox(Pairs& pairs, std::size_t count, Word low, Key key) {
  const philox4x32_key_t words = {{key.low, key.high}};
  for (std::size_t i = 0; i < count; ++i) {
    const Word high = pairs.angle_bits[i];
    const philox4x32_ctr_t counter = {{static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32U),
                                       static_cast<std::uint32_t>(high), static_cast<std::uint32_t>(high >> 32U)}};
    const philox4x32_ctr_t word = philox4x32(counter, words);
    pairs.radius_bits[i] = word.v[0] | (Word{word.v[1]} << 32U);
    pairs.angle_bits[i] = word.v[2] | (Word{word.v[3]} << 32U);
  }
}
#endif

/// Turns counters with this low half into normals. Whole packs are computed.
void make_normals(Pairs& pairs, std::size_t count, Word low, Key key) {
  with_longest_packs([&](auto packs) SUREFOOT_KERNEL {
    philox<decltype(packs)>(pairs, count, low, key);
    box_muller<decltype(packs)>(pairs, count);
  });
}

/// The counters of a population, candidate by candidate: 32 bits of run, 48 of generation, 24 of candidate, 24 of the
/// pair of coordinates.
class Counters {
 public:
  Counters(std::uint32_t run, Word generation, Index first_pair, Index pairs_per_candidate)
      : low_(run | (generation << 32U)),
        high_(((generation >> 32U) & 0xffffU) + static_cast<Word>(first_pair) * next_pair),
        last_pair_(static_cast<Word>(pairs_per_candidate - 1) * next_pair),
        candidate_end_(high_ + last_pair_) {}

  /// The low half, of all of them.
  [[nodiscard]] Word low() const { return low_; }

  /// The high halves of the next ones.
  void take(Pairs& pairs, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      pairs.angle_bits[i] = high_;
      const bool last = high_ == candidate_end_;
      high_ += last ? next_candidate - last_pair_ : next_pair;
      candidate_end_ += last ? next_candidate : 0;
    }
  }

 private:
  static constexpr Word next_candidate = Word{1} << 16U;
  static constexpr Word next_pair = Word{1} << 40U;

  Word low_;
  Word high_;
  Word last_pair_;
  Word candidate_end_;
};

/// Where the normals go, column by column. Of an odd number of rows the last pair keeps its first number only.
class Columns {
 public:
  explicit Columns(Eigen::Ref<Matrix>& z) : to_(z.data()), rows_(z.rows()), stride_(z.outerStride()) {}

  void put(const Pairs& pairs, std::size_t count) {
    if (rows_ % 2 == 0 && rows_ == stride_) {  // pairs follow each other, which compilers see to be fast
      for (std::size_t i = 0; i < count; ++i) {
        to_[2 * i] = pairs.first[i];
        to_[2 * i + 1] = pairs.second[i];
      }
      to_ += 2 * count;
      return;
    }
    for (std::size_t i = 0; i < count;) {
      const std::size_t whole = std::min(count - i, static_cast<std::size_t>(rows_ - row_) / 2);
      double* to = to_ + row_;
      for (std::size_t k = 0; k < whole; ++k) {
        to[2 * k] = pairs.first[i + k];
        to[2 * k + 1] = pairs.second[i + k];
      }
      i += whole;
      row_ += 2 * static_cast<Index>(whole);
      if (i < count && row_ + 1 == rows_) to_[row_++] = pairs.first[i++];
      if (row_ < rows_) continue;
      row_ = 0;
      to_ += stride_;
    }
  }

 private:
  double* to_;
  Index rows_;
  Index stride_;
  Index row_ = 0;
};

}  // namespace

void CounterNormals::fill_rows(std::uint64_t generation, Index first, Eigen::Ref<Matrix> z) {
  const Key key = {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32U)};
  const Index pairs_per_candidate = (z.rows() + 1) / 2;
  Counters counters(run_, generation, first / 2, pairs_per_candidate);
  Columns columns(z);
  Pairs pairs;  // NOLINT(cppcoreguidelines-pro-type-member-init): every number that is read is written before
  auto left = static_cast<std::size_t>(pairs_per_candidate * z.cols());
  while (left > 0) {
    const std::size_t count = std::min(chunk, left);
    counters.take(pairs, (count + longest - 1) / longest * longest);
    make_normals(pairs, count, counters.low(), key);
    columns.put(pairs, count);
    left -= count;
  }
}

}  // namespace surefoot
