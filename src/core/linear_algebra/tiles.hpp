#pragma once

/// \file
/// Products of matrices from within: tiles of C that stay in registers while the inner dimension passes, and the panels
/// of such tiles that make a block. Everything is inlined into a function for the processor (pack.hpp).

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "core/linear_algebra/pack.hpp"
#include "surefoot/types.hpp"

namespace surefoot::tiles {

enum class Part { all, lower };
/// What A B is added to: nothing, another matrix, factor C (measured: and <C, A B> is formed), or C minus A B.
enum class Base { zero, offset, in_place, measured, reduced };
enum class Inner { plain, weighted };  // A B or A diag(weights) B

constexpr bool is_in_place(Base base) { return base != Base::zero && base != Base::offset; }

/// C = start + A B. Entry (k, j) of B is B[k * row_stride + j * column_stride], so that a transpose costs nothing.
struct Operands {
  Index rows, inner, columns;
  const double* A;  // column by column, as C
  Index A_stride;
  const double* B;
  Index row_stride, column_stride;
  double* C;
  Index C_stride;
  const double* weights = nullptr;
  const double* offset = nullptr;  // stored as C
  double factor = 1;
  bool large = false;      // C does not fit into the cache
  Index below = 0;         // rows of the whole C before this block
  double* dots = nullptr;  // for each row of C the sum over its columns of what <C, A B> has, if measured
  Part part = Part::all;
};

constexpr Index columns_ahead = 8;

template <std::size_t columns>
SUREFOOT_INLINE void prefetch(const double* C, Index stride) {
  constexpr Index line = 64 / sizeof(double);
  for (std::size_t c = 0; c < columns; ++c) {
    __builtin_prefetch(C, 1);
    __builtin_prefetch(C + line, 1);
    C += stride;
  }
}

enum class Rows { within, overlapping };

/// <C, A B> of symmetric matrices is twice its part below the diagonal, and the squares on the diagonal, which are
/// there as a whole, count half of that. The factor of row r of a panel whose square begins at row 0.
constexpr std::size_t widest_square = 4;
constexpr auto square_factors = [] {
  std::array<double, 64> factors{};
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = i < widest_square ? 0.5 : 1;
  return factors;
}();

template <std::size_t columns>
SUREFOOT_INLINE const double* factors_from(Index row) {
  constexpr auto widest = static_cast<Index>(widest_square);
  return square_factors.data() + std::min(widest - static_cast<Index>(columns) + row, widest);
}

/// Where the packs of a tile begin, from its first row on. The last one may overlap the one before: its rows are then
/// computed twice, to the same bits.
template <class Pack, Rows rows, std::size_t packs>
SUREFOOT_INLINE std::array<Index, packs> places(Index left) {
  std::array<Index, packs> at{};
  for (std::size_t p = 0; p < packs; ++p) {
    at[p] = static_cast<Index>(p) * lanes<Pack>;
    if constexpr (rows == Rows::overlapping) at[p] = std::min(at[p], left - lanes<Pack>);
  }
  return at;
}

/// A part of C, packs of rows at these places from row r on and `columns` wide from column j on, summed up in
/// registers.
template <class Pack, Base start, Inner inner, std::size_t columns, std::size_t packs>
// NOLINTNEXTLINE(readability-function-cognitive-complexity): what is passed to other functions leaves the registers
SUREFOOT_INLINE void tile_at(Operands o, Index r, Index j, std::array<Index, packs> at) {
  // NOLINTBEGIN(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays): std::array forgets that packs are packs
  Pack sum[columns][packs] = {};
  Pack left[packs];
  // NOLINTEND(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays)
  if constexpr (is_in_place(start)) {
    // Processors foresee one stream of reads, not these short pieces of columns.
    if (o.large) [[unlikely]]
      prefetch<columns>(o.C + (j + columns_ahead) * o.C_stride + r, o.C_stride);
  }
  const double* a = o.A + r;
  const double* b = o.B + j * o.column_stride;
  for (Index k = 0; k < o.inner; ++k) {
    for (std::size_t p = 0; p < packs; ++p) {
      left[p] = load<Pack>(a + at[p]);
      if constexpr (inner == Inner::weighted) left[p] *= o.weights[k];
    }
    for (std::size_t c = 0; c < columns; ++c) {
      const double factor = b[static_cast<Index>(c) * o.column_stride];
      for (std::size_t p = 0; p < packs; ++p) sum[c][p] += left[p] * factor;
    }
    a += o.A_stride;
    b += o.row_stride;
  }
  double* to = o.C + j * o.C_stride + r;
  [[maybe_unused]] const double* offset = o.offset + j * o.C_stride + r;
  if constexpr (start == Base::measured) {
    const double* const factors = factors_from<columns>(r + o.below - j);
#pragma GCC unroll 6
    for (std::size_t p = 0; p < packs; ++p) {
      Pack dots = load<Pack>(o.dots + r + at[p]);
#pragma GCC unroll 4
      for (std::size_t c = 0; c < columns; ++c) {
        const Pack old = load<Pack>(to + static_cast<Index>(c) * o.C_stride + at[p]);
        dots += sum[c][p] * old * load<Pack>(factors + at[p]);
      }
      store(o.dots + r + at[p], dots);
    }
  }
  // Without the pragmas GCC 12 takes the sums to memory and back, which doubles the time of a 10 x 10 product.
#pragma GCC unroll 4
  for (std::size_t c = 0; c < columns; ++c) {
#pragma GCC unroll 6
    for (std::size_t p = 0; p < packs; ++p) {
      if constexpr (start == Base::offset) sum[c][p] += load<Pack>(offset + at[p]);
      if constexpr (start == Base::in_place || start == Base::measured) {
        sum[c][p] += o.factor * load<Pack>(to + at[p]);
      }
      if constexpr (start == Base::reduced) sum[c][p] = load<Pack>(to + at[p]) - sum[c][p];
      store(to + at[p], sum[c][p]);
    }
    to += o.C_stride;
    if constexpr (start == Base::offset) offset += o.C_stride;
  }
}

/// The same. Where packs cannot overlap, fixed distances between them save a third of the time.
template <class Pack, Base start, Inner inner, Rows rows, std::size_t packs, std::size_t columns>
SUREFOOT_INLINE void tile(Operands o, Index r, Index j) {
  tile_at<Pack, start, inner, columns>(o, r, j, places<Pack, rows, packs>(o.rows - r));
}

/// The rows from r on that do not fill a tile, of a C that is read and written in place: nothing is computed twice.
template <class Pack, Base start, Inner inner, std::size_t columns>
SUREFOOT_INLINE void rest_in_place(Operands o, Index r, Index j) {
  constexpr Index n = lanes<Pack>;
  for (; r + n <= o.rows; r += n) tile<Pack, start, inner, Rows::within, 1, columns>(o, r, j);
  if constexpr (n == lanes<LongPacks::Real>) {
    if (r + n / 2 <= o.rows) {
      tile<WidePacks::Real, start, inner, Rows::within, 1, columns>(o, r, j);
      r += n / 2;
    }
  }
  for (; r < o.rows; ++r) tile<double, start, inner, Rows::within, 1, columns>(o, r, j);
}

/// The same where rows may be computed twice.
template <class Pack, Base start, Inner inner, std::size_t columns>
SUREFOOT_INLINE void rest(Operands o, Index r, Index j) {
  constexpr Index n = lanes<Pack>;
  for (; r + 2 * n < o.rows; r += 3 * n) tile<Pack, start, inner, Rows::overlapping, 3, columns>(o, r, j);
  if (r + n < o.rows) {
    tile<Pack, start, inner, Rows::overlapping, 2, columns>(o, r, j);
  } else if (r < o.rows) {
    tile<Pack, start, inner, Rows::overlapping, 1, columns>(o, r, j);
  }
}

/// Some columns of C, from row r on. Twelve sums hide the latency of an addition and leave four of sixteen registers
/// for the factors.
template <class Pack, Base start, Inner inner, std::size_t columns>
SUREFOOT_INLINE void panel(Operands o, Index r, Index j) {
  constexpr std::size_t packs = columns == 4 ? 3 : 6;
  constexpr Index height = packs * lanes<Pack>;
  if constexpr (lanes<Pack> == 1) {
    for (; r < o.rows; ++r) tile<Pack, start, inner, Rows::within, 1, columns>(o, r, j);
  } else {
    for (; r + height <= o.rows; r += height) tile<Pack, start, inner, Rows::within, packs, columns>(o, r, j);
    if constexpr (is_in_place(start)) {
      rest_in_place<Pack, start, inner, columns>(o, r, j);
    } else {
      rest<Pack, start, inner, columns>(o, r, j);
    }
  }
}

/// Calls panel(columns, j) for all columns j: four at a time, as a constant, then two and one.
template <class Panel>
SUREFOOT_INLINE void for_columns(Index count, const Panel& panel) {
  Index j = 0;
  for (; j + 4 <= count; j += 4) panel(std::integral_constant<std::size_t, 4>{}, j);
  if (j + 2 <= count) {
    panel(std::integral_constant<std::size_t, 2>{}, j);
    j += 2;
  }
  if (j < count) panel(std::integral_constant<std::size_t, 1>{}, j);
}

/// A block of C, or of its lower part from the diagonal on.
template <class Pack, Base start, Inner inner>
SUREFOOT_INLINE void panels(Operands o) {
  for_columns(o.columns, [=](auto columns, Index j) SUREFOOT_KERNEL {
    const Index first_row = o.part == Part::lower ? std::max<Index>(j - o.below, 0) : 0;
    panel<Pack, start, inner, columns>(o, first_row, j);
  });
}

/// Rows of a small C: as many as three wide packs hold, and more than two. Two long packs, which overlap, take as long.
constexpr Index fewest_small = 2 * lanes<WidePacks::Real> + 1;
constexpr Index most_small = 3 * lanes<WidePacks::Real>;

/// Where the packs of a small C's rows begin, in all of its columns. Only the last place depends on the rows.
template <class Pack>
SUREFOOT_INLINE std::array<Index, 3> small_places(Index rows) {
  return {0, lanes<Pack>, rows - lanes<Pack>};
}

/// The whole of a small C.
template <class Pack, Base start, Inner inner>
SUREFOOT_INLINE void small_panels(Operands o) {
  for_columns(o.columns, [=, at = small_places<Pack>(o.rows)](auto columns, Index j)
                             SUREFOOT_KERNEL { tile_at<Pack, start, inner, columns>(o, 0, j, at); });
}

}  // namespace surefoot::tiles
