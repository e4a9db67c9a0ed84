#include "core/linear_algebra/products.hpp"

#include <algorithm>
#include <array>

#include "core/linear_algebra/pack.hpp"

namespace surefoot {
namespace {

enum class Part { all, lower };
enum class Base { zero, offset, in_place };  // what is added to: nothing, another matrix, factor C
enum class Inner { plain, weighted };        // A B or A diag(weights) B

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
  bool large = false;  // C does not fit into the cache
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

/// A part of C, `packs` packs high from row r on and `columns` wide from column j on, summed up in registers. The last
/// pack may overlap the one before: its rows are then computed twice, to the same bits. Where that cannot happen, fixed
/// distances between packs save a third of the time.
template <class Pack, Base start, Inner inner, Rows rows, std::size_t packs, std::size_t columns>
SUREFOOT_INLINE void tile(Operands o, Index r, Index j) {
  // NOLINTBEGIN(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays): std::array forgets that packs are packs
  Pack sum[columns][packs] = {};
  Pack left[packs];
  // NOLINTEND(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays)
  std::array<Index, packs> at{};
  for (std::size_t p = 0; p < packs; ++p) {
    at[p] = static_cast<Index>(p) * lanes<Pack>;
    if constexpr (rows == Rows::overlapping) at[p] = std::min(at[p], o.rows - lanes<Pack> - r);
  }
  if constexpr (start == Base::in_place) {
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
  // Without the pragmas GCC 12 takes the sums to memory and back, which doubles the time of a 10 x 10 product.
#pragma GCC unroll 4
  for (std::size_t c = 0; c < columns; ++c) {
#pragma GCC unroll 6
    for (std::size_t p = 0; p < packs; ++p) {
      if constexpr (start == Base::offset) sum[c][p] += load<Pack>(offset + at[p]);
      if constexpr (start == Base::in_place) sum[c][p] += o.factor * load<Pack>(to + at[p]);
      store(to + at[p], sum[c][p]);
    }
    to += o.C_stride;
    if constexpr (start == Base::offset) offset += o.C_stride;
  }
}

/// Some columns of C, from row r on. Twelve sums hide the latency of an addition and leave four of sixteen registers
/// for the factors. What is read and written in place must not overlap.
template <class Pack, Base start, Inner inner, std::size_t columns>
SUREFOOT_INLINE void panel(Operands o, Index r, Index j) {
  constexpr Index n = lanes<Pack>;
  constexpr std::size_t packs = columns == 4 ? 3 : 6;
  constexpr Index height = packs * n;
  if constexpr (n == 1) {
    for (; r < o.rows; ++r) tile<Pack, start, inner, Rows::within, 1, columns>(o, r, j);
  } else {
    for (; r + height <= o.rows; r += height) tile<Pack, start, inner, Rows::within, packs, columns>(o, r, j);
    if constexpr (start == Base::in_place) {
      for (; r + n <= o.rows; r += n) tile<Pack, start, inner, Rows::within, 1, columns>(o, r, j);
      for (; r < o.rows; ++r) tile<double, start, inner, Rows::within, 1, columns>(o, r, j);
    } else {
      for (; r + 2 * n < o.rows; r += 3 * n) tile<Pack, start, inner, Rows::overlapping, 3, columns>(o, r, j);
      if (r + n < o.rows) {
        tile<Pack, start, inner, Rows::overlapping, 2, columns>(o, r, j);
      } else if (r < o.rows) {
        tile<Pack, start, inner, Rows::overlapping, 1, columns>(o, r, j);
      }
    }
  }
}

/// The rows of a block of C, of its lower part from the diagonal on, which is `below` rows before the block's first.
template <class Pack, Part part, Base start, Inner inner>
SUREFOOT_INLINE void panels(Operands o, Index below) {
  const auto first_row = [&](Index j) { return part == Part::lower ? std::max<Index>(j - below, 0) : 0; };
  Index j = 0;
  for (; j + 4 <= o.columns; j += 4) panel<Pack, start, inner, 4>(o, first_row(j), j);
  if (j + 2 <= o.columns) {
    panel<Pack, start, inner, 2>(o, first_row(j), j);
    j += 2;
  }
  if (j < o.columns) panel<Pack, start, inner, 1>(o, first_row(j), j);
}

template <class Pack, Part part, Base start, Inner inner>
SUREFOOT_INLINE void block_of_rows(Operands o, Index below) {
  if (o.rows >= lanes<Pack>) {
    panels<Pack, part, start, inner>(o, below);
  } else {
    panels<double, part, start, inner>(o, below);
  }
}

// A block of A stays in the cache of the first level while all columns of B pass. Found by trial at 100 to 1000 rows.
constexpr Index block_rows = 96;
constexpr Index block_inner = 16;
constexpr Index one_block = 128;       // rows up to which blocks gain nothing
constexpr Index one_inner_block = 64;  // below, reading C again costs more than a smaller block of A gains

template <Part part, Base start = Base::zero, Inner inner = Inner::plain>
void compute(const Operands& operands) {
  with_widest_packs([&](auto packs) SUREFOOT_KERNEL {
    using Pack = typename decltype(packs)::Real;
    const Operands whole = operands;
    const bool small = whole.rows <= one_block;
    const Index row_step = small ? whole.rows : block_rows;
    const Index inner_step = small || whole.inner <= one_inner_block ? whole.inner : block_inner;
    Operands o = whole;
    o.large = !small && whole.columns > one_block;
    for (Index k = 0; k < whole.inner; k += inner_step) {
      o.inner = std::min(inner_step, whole.inner - k);
      o.B = whole.B + k * o.row_stride;
      if constexpr (inner == Inner::weighted) o.weights = whole.weights + k;
      for (Index r = 0; r < whole.rows; r += row_step) {
        o.rows = std::min(row_step, whole.rows - r);
        if constexpr (part == Part::lower) o.columns = std::min(whole.columns, r + o.rows);
        o.A = whole.A + r + k * o.A_stride;
        o.C = whole.C + r;
        if constexpr (start == Base::offset) o.offset = whole.offset + r;
        if constexpr (start == Base::in_place) {
          block_of_rows<Pack, part, start, inner>(o, r);
        } else if (k == 0) {
          block_of_rows<Pack, part, start, inner>(o, r);
        } else {
          block_of_rows<Pack, part, Base::in_place, inner>(o, r);
        }
      }
      o.factor = 1;  // of what the first block has begun
    }
  });
}

/// Copies the lower part of a square matrix to the upper one, by squares that fit into the cache.
void mirror(Matrix& C) {
  constexpr Index side = 32;
  const Index d = C.rows();
  double* const c = C.data();
  for (Index j0 = 0; j0 < d; j0 += side) {
    for (Index i0 = j0; i0 < d; i0 += side) {
      for (Index j = j0; j < std::min(j0 + side, d); ++j) {
        for (Index i = std::max(i0, j + 1); i < std::min(i0 + side, d); ++i) c[j + i * d] = c[i + j * d];
      }
    }
  }
}

template <Base start = Base::zero, Inner inner = Inner::plain>
void symmetric(const Operands& operands, Matrix& C) {
  if (operands.inner <= 16 && operands.rows <= one_block) {
    compute<Part::all, start, inner>(operands);
  } else {
    compute<Part::lower, start, inner>(operands);
    mirror(C);
  }
}

/// C = A B^T.
Operands transposed(const Matrix& A, const Matrix& B, Matrix& C) {
  return {A.rows(), A.cols(), B.rows(), A.data(), A.rows(), B.data(), B.rows(), 1, C.data(), C.rows()};
}

Operands straight(const Matrix& A, const Matrix& B, Matrix& C) {
  return {A.rows(), A.cols(), B.cols(), A.data(), A.rows(), B.data(), 1, B.rows(), C.data(), C.rows()};
}

}  // namespace

void multiply(const Matrix& A, const Matrix& B, Matrix& C) { compute<Part::all>(straight(A, B, C)); }

void multiply_symmetric(const Matrix& A, const Matrix& B, Matrix& C) { symmetric(transposed(A, B, C), C); }

void multiply_weighted(const Matrix& A, const Vector& w, Matrix& C) {
  Operands o = transposed(A, A, C);
  o.weights = w.data();
  symmetric<Base::zero, Inner::weighted>(o, C);
}

void multiply_add_symmetric(const Matrix& D, const Matrix& A, const Matrix& B, Matrix& C) {
  Operands o = transposed(A, B, C);
  o.offset = D.data();
  symmetric<Base::offset>(o, C);
}

void accumulate_product(double factor, const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Matrix>& B,
                        Eigen::Ref<Matrix> C) {
  Operands o = {A.rows(), A.cols(), B.cols(),        A.data(), A.outerStride(),
                B.data(), 1,        B.outerStride(), C.data(), C.outerStride()};
  o.factor = factor;
  compute<Part::all, Base::in_place>(o);
}

void accumulate_weighted(double factor, const Matrix& A, const Vector& w, Matrix& C) {
  Operands o = transposed(A, A, C);
  o.weights = w.data();
  o.factor = factor;
  compute<Part::lower, Base::in_place, Inner::weighted>(o);
  mirror(C);
}

void accumulate_symmetric(double factor, const Matrix& A, const Matrix& B, Matrix& C) {
  Operands o = straight(A, B, C);
  o.factor = factor;
  compute<Part::lower, Base::in_place>(o);
  mirror(C);
}

}  // namespace surefoot
