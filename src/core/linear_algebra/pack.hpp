#pragma once

/// \file
/// Several numbers computed together, on whatever vector unit the processor has.
///
/// Compilers vectorise loops by mood: GCC 12 did not for the logarithm of the normals. Packs say it in the language.
/// A pack rounds each of its numbers as a double, so that the bits do not depend on the processor.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "surefoot/types.hpp"

// Packs never cross a call, because everything that takes or gives one is inlined: the warning does not apply.
#pragma GCC diagnostic ignored "-Wpsabi"

#define SUREFOOT_INLINE [[gnu::always_inline]] inline   // NOLINT(cppcoreguidelines-macro-usage): an attribute
#define SUREFOOT_KERNEL __attribute__((always_inline))  // NOLINT(cppcoreguidelines-macro-usage): the same for a lambda

namespace surefoot {

struct SinglePacks {
  using Real = double;
};

/// What every processor of interest has: SSE2, NEON.
struct NarrowPacks {
  using Real [[gnu::vector_size(16)]] = double;
  using Bits [[gnu::vector_size(16)]] = std::uint64_t;
};

/// AVX2. Compilers split them badly where it is missing: then narrow packs are ten times as fast.
struct WidePacks {
  using Real [[gnu::vector_size(32)]] = double;
  using Bits [[gnu::vector_size(32)]] = std::uint64_t;
};

/// AVX-512.
struct LongPacks {
  using Real [[gnu::vector_size(64)]] = double;
  using Bits [[gnu::vector_size(64)]] = std::uint64_t;
};

template <class Pack>
constexpr Index lanes = sizeof(Pack) / sizeof(double);

template <class Pack>
SUREFOOT_INLINE Pack load(const void* from) {
  Pack pack;  // NOLINT(cppcoreguidelines-pro-type-member-init): all of it is written
  std::memcpy(&pack, from, sizeof pack);
  return pack;
}

template <class Pack>
SUREFOOT_INLINE void store(void* to, const Pack& pack) {
  std::memcpy(to, &pack, sizeof pack);
}

/// std::bit_cast, but never a call.
template <class To, class From>
SUREFOOT_INLINE To bits_as(const From& from) {
  return __builtin_bit_cast(To, from);
}

// What is inlined into a function for a processor is compiled for it. Not "fma": fused operations round differently.
#if defined(__x86_64__)
template <class Kernel>
[[gnu::target("avx2")]] void with_avx2(const Kernel& kernel) {
  kernel(WidePacks{});
}

template <class Kernel>
[[gnu::target("avx512f")]] void with_avx512(const Kernel& kernel) {
  kernel(LongPacks{});
}

inline bool has_avx2() { return static_cast<bool>(__builtin_cpu_supports("avx2")); }
inline bool has_avx512() { return static_cast<bool>(__builtin_cpu_supports("avx512f")); }
#endif

/// Calls a generic function, all of it inlined, with wide packs if this processor has them.
template <class Kernel>
SUREFOOT_INLINE void with_widest_packs(const Kernel& kernel) {
#if defined(__AVX2__)
  kernel(WidePacks{});
#elif defined(__x86_64__)
  if (has_avx2()) {
    with_avx2(kernel);
  } else {
    kernel(NarrowPacks{});
  }
#else
  kernel(NarrowPacks{});
#endif
}

/// The same with long packs where there are any. They pay where arithmetic takes the time, not memory, and where whole
/// packs are filled.
template <class Kernel>
SUREFOOT_INLINE void with_longest_packs(const Kernel& kernel) {
#if defined(__x86_64__)
  if (has_avx512()) return with_avx512(kernel);
#endif
  with_widest_packs(kernel);
}

/// The same with packs that `count` numbers fill, single numbers at the least; long ones only from `long_count` on: for
/// products of large matrices.
template <class Kernel>
SUREFOOT_INLINE void with_packs_for(Index count, [[maybe_unused]] Index long_count, const Kernel& kernel) {
#if defined(__x86_64__)
  if (count >= long_count && has_avx512()) return with_avx512(kernel);
  if (count >= lanes<WidePacks::Real> && has_avx2()) return with_avx2(kernel);
#endif
  if (count >= lanes<NarrowPacks::Real>) return kernel(NarrowPacks{});
  kernel(SinglePacks{});
}

/// Calls kernel(real, i) for i = 0 to count: with packs of numbers i, i + 1, ... while they last, then with single
/// ones.
template <class Kernel>
void for_all(Index count, const Kernel& kernel) {
  with_widest_packs([&](auto packs) SUREFOOT_KERNEL {
    using Real = typename decltype(packs)::Real;
    const Kernel local = kernel;  // its pointers stay in registers, and so does the end
    const Index end = count;
    Index i = 0;
    for (; i + lanes<Real> <= end; i += lanes<Real>) local(std::type_identity<Real>{}, i);
    for (; i < end; ++i) local(std::type_identity<double>{}, i);
  });
}

/// Calls kernel(real, i, j) for the rows i = 0 to rows - 1 of each column j: with packs of rows while they last. The
/// last pack may overlap the one before, so that the kernel must not write what it reads.
template <class Kernel>
void for_all_columns(Index rows, Index columns, const Kernel& kernel) {
  with_widest_packs([&](auto packs) SUREFOOT_KERNEL {
    using Real = typename decltype(packs)::Real;
    const Kernel local = kernel;
    const Index row_end = rows;
    const Index column_end = columns;
    if (row_end > 2 * lanes<Real> && row_end <= 3 * lanes<Real>) {  // a loop doubles the instructions
      for (Index j = 0; j < column_end; ++j) {
        local(std::type_identity<Real>{}, 0, j);
        local(std::type_identity<Real>{}, lanes<Real>, j);
        local(std::type_identity<Real>{}, row_end - lanes<Real>, j);
      }
      return;
    }
    for (Index j = 0; j < column_end; ++j) {
      Index i = 0;
      for (; i + lanes<Real> <= row_end; i += lanes<Real>) local(std::type_identity<Real>{}, i, j);
      if (i < row_end && row_end >= lanes<Real>) {
        local(std::type_identity<Real>{}, row_end - lanes<Real>, j);
      } else {
        for (; i < row_end; ++i) local(std::type_identity<double>{}, i, j);
      }
    }
  });
}

/// C_i = f(A_i, B_i, ...) for all entries. Terms of the diagonal are given as a multiple of the identity matrix: to
/// write single numbers into what is read as packs soon after stalls the processor.
template <class F, class Result, class... Matrices>
void assign_entries(Result& C, const F& f, const Matrices&... matrices) {
  for_all(C.size(), [f, to = C.data(), ... from = matrices.data()](auto real, Index i) SUREFOOT_KERNEL {
    using Real = typename decltype(real)::type;
    store(to + i, f(load<Real>(from + i)...));
  });
}

}  // namespace surefoot
