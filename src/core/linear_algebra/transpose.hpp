#pragma once

#include <algorithm>

#include "core/linear_algebra/pack.hpp"

namespace surefoot {

/// Writes the transpose of a block of a matrix, two rows and two columns at a time, which takes no other instructions
/// than every processor has. Columns begin `from_stride` and `to_stride` numbers apart.
inline void transpose_block(const double* from, Index from_stride, Index rows, Index columns, double* to,
                            Index to_stride) {
  using Real = NarrowPacks::Real;
  const Index even_rows = rows - rows % 2;
  const Index even_columns = columns - columns % 2;
  for (Index j = 0; j < even_columns; j += 2) {
    for (Index i = 0; i < even_rows; i += 2) {
      const Real left = load<Real>(from + j * from_stride + i);
      const Real right = load<Real>(from + (j + 1) * from_stride + i);
      store(to + i * to_stride + j, Real{left[0], right[0]});
      store(to + (i + 1) * to_stride + j, Real{left[1], right[1]});
    }
  }
  for (Index j = 0; j < columns; ++j) {
    for (Index i = j < even_columns ? even_rows : 0; i < rows; ++i) to[i * to_stride + j] = from[j * from_stride + i];
  }
}

/// At = A^T.
inline void transpose(const Matrix& A, Matrix& At) {
  constexpr Index side = 8;  // rows that are read together
  for (Index begin = 0; begin < A.rows(); begin += side) {
    transpose_block(A.data() + begin, A.rows(), std::min(side, A.rows() - begin), A.cols(),
                    At.data() + begin * At.rows(), At.rows());
  }
}

}  // namespace surefoot
