#include "core/linear_algebra/products.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "core/linear_algebra/block_products.hpp"
#include "core/linear_algebra/pack.hpp"
#include "core/linear_algebra/tiles.hpp"
#include "core/linear_algebra/transpose.hpp"

namespace surefoot {
namespace {

using tiles::Base;
using tiles::Inner;
using tiles::is_in_place;
using tiles::Operands;
using tiles::Part;
using tiles::widest_square;

// A block of A stays in the cache of the first level while all columns of B pass. Found by trial at 100 to 1000 rows.
constexpr Index block_rows = 96;
constexpr Index block_inner = 16;
constexpr Index block_columns = 16;  // of a C that does not fit into the cache; whole squares of its diagonal
static_assert(block_columns % static_cast<Index>(widest_square) == 0);
constexpr Index one_block = 128;       // rows up to which blocks gain nothing
constexpr Index one_inner_block = 64;  // below, reading C again costs more than a smaller block of A gains
constexpr Index long_rows = 9;         // below, long packs are not filled
constexpr Index fewest_to_align = 64;  // rows
// Products of numbers. Waking a thread takes some 10 microseconds, this some 60.
constexpr double least_to_share = 1e6;
constexpr Index shares = 8;  // of the rows among threads, at most: long pieces of columns are passed faster

bool is_small([[maybe_unused]] const Operands& o) {
#if defined(__x86_64__)
  return o.rows >= tiles::fewest_small && o.rows <= tiles::most_small && o.part == Part::all && has_avx2();
#else
  return false;
#endif
}

/// The whole of a small C, for every processor that has wide packs. A function by itself, in which one of B's strides
/// is known to be 1, keeps all that its loops need in registers, which takes a sixth of a 10 x 10 product's time away.
template <Base start, Inner inner>
void small_block([[maybe_unused]] const Operands& o) {
#if defined(__x86_64__)
  if (o.column_stride == 1) {
    with_avx2([&](auto packs) SUREFOOT_KERNEL {
      Operands transposed = o;
      transposed.column_stride = 1;
      tiles::small_panels<typename decltype(packs)::Real, start, inner>(transposed);
    });
  } else {
    with_avx2([&](auto packs) SUREFOOT_KERNEL {
      Operands straight = o;
      straight.row_stride = 1;
      tiles::small_panels<typename decltype(packs)::Real, start, inner>(straight);
    });
  }
#endif
}

/// The same for a C of one column, which needs none of what `small_block` prepares for several.
void small_column([[maybe_unused]] const Operands& o) {
#if defined(__x86_64__)
  with_avx2([&](auto packs) SUREFOOT_KERNEL {
    using Pack = typename decltype(packs)::Real;
    tiles::tile_at<Pack, Base::zero, Inner::plain, 1>(o, 0, 0, tiles::small_places<Pack>(o.rows));
  });
#endif
}

/// A block of any size. The only function that is compiled for every processor: its tiles are most of this file's
/// compile time. By itself, because the registers that it saves cost a small block as much as thirty instructions.
template <Base start, Inner inner>
[[gnu::noinline]] void any_block(const Operands& o) {
  with_packs_for(o.rows, long_rows,
                 [&](auto packs) SUREFOOT_KERNEL { tiles::panels<typename decltype(packs)::Real, start, inner>(o); });
}

/// A block of C, or what blocks of A and B add to it.
template <Base start, Inner inner>
void block(const Operands& o) {
  if constexpr (!is_in_place(start)) {
    if (is_small(o)) return small_block<start, inner>(o);
  }
  any_block<start, inner>(o);
}

/// Rows before the first one at which packs of A do not cross lines of the cache, 0 if columns differ in that. Every
/// number of A is loaded many times, so a few rows by themselves pay where there are many.
Index rows_before_aligned(const Operands& o) {
  constexpr Index pack = 32;
  constexpr auto size = static_cast<Index>(sizeof(double));
  if (o.rows < fewest_to_align || o.part == Part::lower || o.A_stride * size % pack != 0) return 0;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the address itself is meant
  return (pack - static_cast<Index>(reinterpret_cast<std::uintptr_t>(o.A) % pack)) % pack / size;
}

/// How C is divided into blocks.
struct Steps {
  Index rows, inner, columns;
};

/// The block of C from row r and column j on, and of the inner dimension from k on.
template <Base start, Inner inner>
void block_at(const Operands& whole, const Steps& size, Index r, Index k, Index j) {
  Operands o = whole;
  o.rows = size.rows;
  o.inner = size.inner;
  o.columns = size.columns;
  o.below = r - j;
  if (o.part == Part::lower) o.columns = std::min(o.columns, o.below + o.rows);
  if (o.columns <= 0) return;
  o.A = whole.A + r + k * o.A_stride;
  o.B = whole.B + k * o.row_stride + j * o.column_stride;
  o.C = whole.C + r + j * o.C_stride;
  if constexpr (start == Base::offset) o.offset = whole.offset + r + j * o.C_stride;
  if constexpr (start == Base::measured) o.dots = whole.dots + r;
  if constexpr (inner == Inner::weighted) o.weights = whole.weights + k;
  if (k > 0) o.factor = 1;  // of what the first block has begun
  if (is_in_place(start) || k == 0) {
    block<start, inner>(o);
  } else {
    block<Base::in_place, inner>(o);
  }
}

/// Rows begin to end - 1 of C. Memory is passed column by column, as matrices are stored: what is read or written
/// between two rows of blocks stays in the cache, and so do the places of its pages.
template <Base start, Inner inner>
void rows_of_blocks(const Operands& whole, const Steps& step, Index begin, Index end) {
  for (Index k = 0; k < whole.inner; k += step.inner) {
    for (Index j = 0; j < whole.columns; j += step.columns) {
      for (Index r = begin; r < end; r += step.rows) {
        const Steps size = {std::min(step.rows, end - r), std::min(step.inner, whole.inner - k),
                            std::min(step.columns, whole.columns - j)};
        block_at<start, inner>(whole, size, r, k, j);
      }
    }
  }
}

/// Calls work(0), ..., work(count - 1), by several threads if there are any and enough to do.
template <class Work>
void run(Executor* executor, const Operands& o, Index count, const Work& work) {
  const double products = static_cast<double>(o.rows) * static_cast<double>(o.inner) * static_cast<double>(o.columns);
  if (executor != nullptr && products >= least_to_share) return executor->run(count, std::cref(work));
  for (Index n = 0; n < count; ++n) work(n);
}

/// Some rows of blocks after the other. They do not depend on each other, and every entry is summed in the same order
/// whoever does it.
template <Base start, Inner inner>
[[gnu::noinline]] void compute_blocks(const Operands& operands, Executor* executor) {
  Operands whole = operands;
  const bool small = whole.rows <= one_block;
  const bool is_one = small || whole.inner <= one_inner_block || start == Base::measured;  // old C is needed whole
  whole.large = !small && whole.columns > one_block;
  const Steps step = {small ? whole.rows : block_rows, is_one ? whole.inner : block_inner,
                      whole.large ? block_columns : whole.columns};
  const Index before_aligned = rows_before_aligned(whole);
  const Index first = before_aligned > 0 ? 1 : 0;  // number of the first aligned rows
  const Index shared = (whole.rows / shares + step.rows - 1) / step.rows * step.rows;
  const Index together = executor == nullptr ? whole.rows : shared;
  const Index count = first + (whole.rows - before_aligned + together - 1) / together;
  run(executor, whole, count, [&](Index n) {
    const Index begin = n < first ? 0 : before_aligned + (n - first) * together;
    const Index end = n < first ? before_aligned : std::min(begin + together, whole.rows);
    rows_of_blocks<start, inner>(whole, step, begin, end);
  });
}

template <Base start = Base::zero, Inner inner = Inner::plain>
void compute(const Operands& operands, Executor* executor = nullptr) {
  if (operands.rows < fewest_to_align) return block<start, inner>(operands);
  compute_blocks<start, inner>(operands, executor);
}

template <Base start = Base::zero, Inner inner = Inner::plain>
void compute_lower(Operands operands, Executor* executor = nullptr) {
  operands.part = Part::lower;
  compute<start, inner>(operands, executor);
}

/// Copies the lower part of a square matrix to the upper one, by squares that fit into the cache.
void mirror(Matrix& C) {
  constexpr Index side = 32;
  const Index d = C.rows();
  double* const c = C.data();
  for (Index j0 = 0; j0 < d; j0 += side) {
    const Index end = std::min(j0 + side, d);
    for (Index j = j0; j < end; ++j) {
      for (Index i = j + 1; i < end; ++i) c[j + i * d] = c[i + j * d];
    }
    for (Index i0 = end; i0 < d; i0 += side) {
      transpose_block(c + i0 + j0 * d, d, std::min(side, d - i0), end - j0, c + j0 + i0 * d, d);
    }
  }
}

/// The same within the squares on the diagonal that panels compute as a whole.
void mirror_squares(Matrix& C) {
  constexpr auto side = static_cast<Index>(widest_square);
  const Index d = C.rows();
  double* const c = C.data();
  for (Index j = 0; j < d; ++j) {
    for (Index i = j + 1; i < std::min(j / side * side + side, d); ++i) c[j + i * d] = c[i + j * d];
  }
}

template <Base start = Base::zero, Inner inner = Inner::plain>
void symmetric(const Operands& operands, Matrix& C) {
  if (operands.inner <= 16 && operands.rows <= one_block) {
    compute<start, inner>(operands);
  } else {
    compute_lower<start, inner>(operands);
    mirror(C);
  }
}

/// C = A B^T.
Operands transposed(const Matrix& A, const Matrix& B, Matrix& C) {
  return {A.rows(), A.cols(), B.rows(), A.data(), A.rows(), B.data(), B.rows(), 1, C.data(), C.rows()};
}

/// The same of parts of matrices.
Operands transposed_parts(const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Matrix>& B, Eigen::Ref<Matrix> C) {
  return {A.rows(), A.cols(),        B.rows(), A.data(), A.outerStride(),
          B.data(), B.outerStride(), 1,        C.data(), C.outerStride()};
}

Operands straight(const Matrix& A, const Matrix& B, Matrix& C) {
  return {A.rows(), A.cols(), B.cols(), A.data(), A.rows(), B.data(), 1, B.rows(), C.data(), C.rows()};
}

}  // namespace

void multiply(const Matrix& A, const Matrix& B, Matrix& C, Executor* executor) { compute(straight(A, B, C), executor); }

void multiply(const Matrix& A, const Vector& b, Vector& c) {
  const Operands o = {A.rows(), b.size(), 1, A.data(), A.rows(), b.data(), 1, b.size(), c.data(), c.size()};
  if (is_small(o)) return small_column(o);
  with_packs_for(o.rows, long_rows, [&](auto packs) SUREFOOT_KERNEL {
    tiles::panel<typename decltype(packs)::Real, Base::zero, Inner::plain, 1>(o, 0, 0);
  });
}

void multiply_symmetric(const Matrix& A, const Matrix& B, Matrix& C) { symmetric(transposed(A, B, C), C); }

void multiply_add(const Matrix& D, const Matrix& A, const Matrix& B, Matrix& C) {
  Operands o = straight(A, B, C);
  o.offset = D.data();
  compute<Base::offset>(o);
}

void scale_columns(double factor, const Matrix& A, const Vector& w, Matrix& C) {
  for_all_columns(A.rows(), w.size(),
                  [factor, n = A.rows(), from = A.data(), w = w.data(), to = C.data()](auto real, Index i, Index j)
                      SUREFOOT_KERNEL {
                        using Real = typename decltype(real)::type;
                        store(to + j * n + i, (factor * w[j]) * load<Real>(from + j * n + i));
                      });
}

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
                        Eigen::Ref<Matrix> C, Executor* executor) {
  Operands o = {A.rows(), A.cols(), B.cols(),        A.data(), A.outerStride(),
                B.data(), 1,        B.outerStride(), C.data(), C.outerStride()};
  o.factor = factor;
  compute<Base::in_place>(o, executor);
}

void accumulate_outer(const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Matrix>& B, Eigen::Ref<Matrix> C) {
  compute<Base::in_place>(transposed_parts(A, B, C));
}

void subtract_outer(const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Matrix>& B, Eigen::Ref<Matrix> C) {
  compute<Base::reduced>(transposed_parts(A, B, C));
}

void subtract_square(const Eigen::Ref<const Matrix>& A, Eigen::Ref<Matrix> C) {
  compute_lower<Base::reduced>(transposed_parts(A, A, C));
}

void accumulate_weighted(double factor, const Matrix& A, const Vector& w, Matrix& C) {
  Operands o = transposed(A, A, C);
  o.weights = w.data();
  o.factor = factor;
  compute_lower<Base::in_place, Inner::weighted>(o);
  mirror(C);
}

double accumulate_lower(double factor, const Matrix& A, const Matrix& B, Matrix& C, Vector& workspace,
                        Executor* executor) {
  workspace.setZero();
  Operands o = transposed(A, B, C);
  o.factor = factor;
  o.dots = workspace.data();
  compute_lower<Base::measured>(o, executor);
  mirror_squares(C);
  return 2 * workspace.sum();
}

void mirror_lower(Matrix& C) { mirror(C); }

void accumulate_symmetric(double factor, const Matrix& A, const Matrix& B, Matrix& C) {
  Operands o = straight(A, B, C);
  o.factor = factor;
  compute_lower<Base::in_place>(o);
  mirror(C);
}

}  // namespace surefoot
