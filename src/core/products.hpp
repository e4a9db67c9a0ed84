#pragma once

/// \file
/// Products of small matrices. At ten rows Eigen's general product, made for large ones, takes four times as long.

#include <algorithm>

#include "core/pack.hpp"
#include "surefoot/types.hpp"

namespace surefoot {
namespace products {

/// Above this Eigen's product, which minds the caches, catches up. With wide packs ours is twice as fast up to here.
constexpr Index largest = 128;

/// C = offset + A B; entry (k, j) of B is B[k * row_stride + j * column_stride], so that a transpose costs nothing.
struct Operands {
  Index rows, inner, columns;
  const double* A;
  const double* B;
  Index row_stride, column_stride;
  const double* offset;  // added to every column; may be null
  double* C;
};

/// A part of C, `packs` packs high from row r on and `columns` wide from column j on, summed up in registers. The last
/// pack may overlap the one before: its rows are then computed twice, to the same bits.
template <class Pack, std::size_t packs, std::size_t columns>
SUREFOOT_INLINE void tile(Operands o, Index r, Index j) {
  // std::array hides the sums from the register allocator.
  Index at[packs];                // NOLINT(modernize-avoid-c-arrays)
  Pack sum[columns][packs] = {};  // NOLINT(modernize-avoid-c-arrays)
  for (std::size_t p = 0; p < packs; ++p) {
    at[p] = std::min(r + static_cast<Index>(p) * lanes<Pack>, o.rows - lanes<Pack>);
  }
  const double* a = o.A;
  const double* b = o.B + j * o.column_stride;
  for (Index k = 0; k < o.inner; ++k) {
    for (std::size_t c = 0; c < columns; ++c) {
      const double factor = b[static_cast<Index>(c) * o.column_stride];
      for (std::size_t p = 0; p < packs; ++p) sum[c][p] += load<Pack>(a + at[p]) * factor;
    }
    a += o.rows;
    b += o.row_stride;
  }
  double* to = o.C + j * o.rows;
  // Without the pragmas GCC 12 takes the sums to memory and back, which doubles the time of a 10 x 10 product.
#pragma GCC unroll 4
  for (std::size_t c = 0; c < columns; ++c) {
#pragma GCC unroll 4
    for (std::size_t p = 0; p < packs; ++p) {
      if (o.offset != nullptr) sum[c][p] += load<Pack>(o.offset + at[p]);
      store(to + at[p], sum[c][p]);
    }
    to += o.rows;
  }
}

/// Some columns of C, from row r on. Three packs by four columns fill the sixteen registers.
template <class Pack, std::size_t columns>
SUREFOOT_INLINE void panel(Operands o, Index r, Index j) {
  constexpr Index n = lanes<Pack>;
  for (; r + 2 * n < o.rows; r += 3 * n) tile<Pack, 3, columns>(o, r, j);
  if (r + n < o.rows) {
    tile<Pack, 2, columns>(o, r, j);
  } else if (r < o.rows) {
    tile<Pack, 1, columns>(o, r, j);
  }
}

enum class Part { all, lower };

template <class Pack, Part part>
SUREFOOT_INLINE void panels(Operands o) {
  const auto first_row = [](Index j) { return part == Part::lower ? j : 0; };
  Index j = 0;
  for (; j + 4 <= o.columns; j += 4) panel<Pack, 4>(o, first_row(j), j);
  if (j + 2 <= o.columns) {
    panel<Pack, 2>(o, first_row(j), j);
    j += 2;
  }
  if (j < o.columns) panel<Pack, 1>(o, first_row(j), j);
}

template <Part part>
void compute(const Operands& operands) {
  with_widest_packs([&](auto packs) SUREFOOT_KERNEL {
    using Pack = typename decltype(packs)::Real;
    const Operands o = operands;
    if (o.rows >= lanes<Pack>) {
      panels<Pack, part>(o);
    } else {
      panels<double, part>(o);
    }
  });
}

}  // namespace products

/// C = A B.
inline void multiply(const Matrix& A, const Matrix& B, Matrix& C) {
  if (A.rows() > products::largest) {
    C.noalias() = A * B;
    return;
  }
  products::compute<products::Part::all>(
      {A.rows(), A.cols(), B.cols(), A.data(), B.data(), 1, B.rows(), nullptr, C.data()});
}

/// X = m + A Z, m added to every column.
inline void multiply_add(const Vector& m, const Matrix& A, const Matrix& Z, Matrix& X) {
  if (A.rows() > products::largest) {
    X.noalias() = A * Z;
    X.colwise() += m;
    return;
  }
  products::compute<products::Part::all>(
      {A.rows(), A.cols(), Z.cols(), A.data(), Z.data(), 1, Z.rows(), m.data(), X.data()});
}

/// C = A B^T where that is known to be symmetric: half the work, unless there is so little that mirroring costs more.
inline void multiply_symmetric(const Matrix& A, const Matrix& B, Matrix& C) {
  const Index d = A.rows();
  const products::Operands operands = {d, A.cols(), d, A.data(), B.data(), d, 1, nullptr, C.data()};
  if (A.cols() <= 16 && d <= products::largest) {
    products::compute<products::Part::all>(operands);
    return;
  }
  if (d <= products::largest) {
    products::compute<products::Part::lower>(operands);
  } else {
    C.triangularView<Eigen::Lower>() = A * B.transpose();
  }
  for (Index j = 1; j < d; ++j) {
    for (Index i = 0; i < j; ++i) C(i, j) = C(j, i);
  }
}

}  // namespace surefoot
