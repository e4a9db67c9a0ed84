#pragma once

/// \file
/// Products of small matrices. At ten rows Eigen's general product, made for large ones, takes four times as long.

#include <algorithm>
#include <array>

#include "core/pack.hpp"
#include "surefoot/types.hpp"

namespace surefoot {
namespace products {

/// Above this Eigen's product, which minds the caches, catches up. With wide packs ours is twice as fast up to here.
constexpr Index largest = 128;

enum class Part { all, lower };
enum class Extra { none, offset, weights };

/// C = A B, C = offset + A B or C = A diag(weights) B. Entry (k, j) of B is B[k * row_stride + j * column_stride], so
/// that a transpose costs nothing.
struct Operands {
  Index rows, inner, columns;
  const double* A;
  const double* B;
  Index row_stride, column_stride;
  double* C;
  const double* extra = nullptr;  // offset or weights
  Index offset_stride = 0;        // from column to column
};

/// A part of C, `packs` packs high from row r on and `columns` wide from column j on, summed up in registers. The last
/// pack may overlap the one before: its rows are then computed twice, to the same bits.
template <class Pack, Extra extra, std::size_t packs, std::size_t columns>
SUREFOOT_INLINE void tile(Operands o, Index r, Index j) {
  // NOLINTBEGIN(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays): std::array forgets that packs are packs
  Pack sum[columns][packs] = {};
  Pack left[packs];
  // NOLINTEND(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays)
  std::array<Index, packs> at{};
  for (std::size_t p = 0; p < packs; ++p) {
    at[p] = std::min(r + static_cast<Index>(p) * lanes<Pack>, o.rows - lanes<Pack>);
  }
  const double* a = o.A;
  const double* b = o.B + j * o.column_stride;
  for (Index k = 0; k < o.inner; ++k) {
    for (std::size_t p = 0; p < packs; ++p) {
      left[p] = load<Pack>(a + at[p]);
      if constexpr (extra == Extra::weights) left[p] *= o.extra[k];
    }
    for (std::size_t c = 0; c < columns; ++c) {
      const double factor = b[static_cast<Index>(c) * o.column_stride];
      for (std::size_t p = 0; p < packs; ++p) sum[c][p] += left[p] * factor;
    }
    a += o.rows;
    b += o.row_stride;
  }
  double* to = o.C + j * o.rows;
  [[maybe_unused]] const double* offset = o.extra + j * o.offset_stride;
  // Without the pragmas GCC 12 takes the sums to memory and back, which doubles the time of a 10 x 10 product.
#pragma GCC unroll 4
  for (std::size_t c = 0; c < columns; ++c) {
#pragma GCC unroll 4
    for (std::size_t p = 0; p < packs; ++p) {
      if constexpr (extra == Extra::offset) sum[c][p] += load<Pack>(offset + at[p]);
      store(to + at[p], sum[c][p]);
    }
    to += o.rows;
    if constexpr (extra == Extra::offset) offset += o.offset_stride;
  }
}

/// Some columns of C, from row r on. Three packs by four columns fill the sixteen registers.
template <class Pack, Extra extra, std::size_t columns>
SUREFOOT_INLINE void panel(Operands o, Index r, Index j) {
  constexpr Index n = lanes<Pack>;
  for (; r + 2 * n < o.rows; r += 3 * n) tile<Pack, extra, 3, columns>(o, r, j);
  if (r + n < o.rows) {
    tile<Pack, extra, 2, columns>(o, r, j);
  } else if (r < o.rows) {
    tile<Pack, extra, 1, columns>(o, r, j);
  }
}

template <class Pack, Part part, Extra extra>
SUREFOOT_INLINE void panels(Operands o) {
  const auto first_row = [](Index j) { return part == Part::lower ? j : 0; };
  Index j = 0;
  for (; j + 4 <= o.columns; j += 4) panel<Pack, extra, 4>(o, first_row(j), j);
  if (j + 2 <= o.columns) {
    panel<Pack, extra, 2>(o, first_row(j), j);
    j += 2;
  }
  if (j < o.columns) panel<Pack, extra, 1>(o, first_row(j), j);
}

template <Part part, Extra extra = Extra::none>
void compute(const Operands& operands) {
  with_widest_packs([&](auto packs) SUREFOOT_KERNEL {
    using Pack = typename decltype(packs)::Real;
    const Operands o = operands;
    if (o.rows >= lanes<Pack>) {
      panels<Pack, part, extra>(o);
    } else {
      panels<double, part, extra>(o);
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
  products::compute<products::Part::all>({A.rows(), A.cols(), B.cols(), A.data(), B.data(), 1, B.rows(), C.data()});
}

/// X = m + A Z, m added to every column.
inline void multiply_add(const Vector& m, const Matrix& A, const Matrix& Z, Matrix& X) {
  if (A.rows() > products::largest) {
    X.noalias() = A * Z;
    X.colwise() += m;
    return;
  }
  products::compute<products::Part::all, products::Extra::offset>(
      {A.rows(), A.cols(), Z.cols(), A.data(), Z.data(), 1, Z.rows(), X.data(), m.data()});
}

namespace products {

template <Extra extra>
void symmetric(const Matrix& A, const Matrix& B, const double* weights, Matrix& C) {
  const Index d = A.rows();
  const Operands operands = {d, A.cols(), d, A.data(), B.data(), d, 1, C.data(), weights};
  if (A.cols() <= 16) {
    compute<Part::all, extra>(operands);
  } else {
    compute<Part::lower, extra>(operands);
    C.triangularView<Eigen::StrictlyUpper>() = C.transpose();
  }
}

}  // namespace products

/// C = A B^T where that is known to be symmetric: half the work, unless there is so little that mirroring costs more.
inline void multiply_symmetric(const Matrix& A, const Matrix& B, Matrix& C) {
  if (A.rows() <= products::largest) {
    products::symmetric<products::Extra::none>(A, B, nullptr, C);
    return;
  }
  C.triangularView<Eigen::Lower>() = A * B.transpose();
  C.triangularView<Eigen::StrictlyUpper>() = C.transpose();
}

/// C = A diag(w) A^T.
inline void multiply_weighted(const Matrix& A, const Vector& w, Matrix& C) {
  if (A.rows() <= products::largest) {
    products::symmetric<products::Extra::weights>(A, A, w.data(), C);
    return;
  }
  C.triangularView<Eigen::Lower>() = A * w.asDiagonal() * A.transpose();
  C.triangularView<Eigen::StrictlyUpper>() = C.transpose();
}

/// C = D + A B^T where all are symmetric.
inline void multiply_add_symmetric(const Matrix& D, const Matrix& A, const Matrix& B, Matrix& C) {
  const Index d = A.rows();
  if (d <= 16) {
    products::compute<products::Part::all, products::Extra::offset>(
        {d, d, d, A.data(), B.data(), d, 1, C.data(), D.data(), d});
    return;
  }
  multiply_symmetric(A, B, C);
  C += D;
}

}  // namespace surefoot
