#include "core/linear_algebra/inverse.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/linear_algebra/pack.hpp"
#include "core/linear_algebra/products.hpp"

namespace surefoot {
namespace {

constexpr Index largest_table = 128;  // beyond, a block of columns at a time
constexpr Index panel_width = 32;

constexpr auto ones_around_zero = [] {
  std::array<double, 2 * std::size_t{largest_table}> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i == std::size_t{largest_table} ? 0 : 1;
  return numbers;
}();

std::size_t as_size(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

Inverse::Inverse(Index d)
    : d_(d),
      stride_((d + 3) / 4 * 4),
      table_(static_cast<std::size_t>(d > largest_table ? panel_width * d : stride_ * d)),
      column_(static_cast<std::size_t>(stride_)),
      row_of_(static_cast<std::size_t>(d)) {}

void Inverse::transposed(const Matrix& A, Matrix& result) {
  if (d_ <= largest_table) {
    eliminate_in_table(A, result);
  } else {
    result = A;
    for (Index k = 0; k < d_; k += panel_width) {
      const Index n = std::min(panel_width, d_ - k);
      eliminate_panel(result, k, n);
      for (Index j = 0; j < k; ++j) take_rows(result, j, k, n);
      for (Index j = k + n; j < d_; ++j) take_rows(result, j, k, n);
      apply_panel(result, k, n, 0, k);
      apply_panel(result, k, n, k + n, d_);
    }
    for (Index k = d_; k-- > 0;) {
      if (row_of_[as_size(k)] != k) result.col(k).swap(result.col(row_of_[as_size(k)]));
    }
    result.transposeInPlace();
  }
}

/// Exchanges columns k to k + n of A with as many pivots' rows, which are swapped to rows k to k + n, but within
/// these columns only.
void Inverse::eliminate_panel(Matrix& A, Index k, Index n) {
  auto panel = A.middleCols(k, n);
  for (Index c = 0; c < n; ++c) {
    const Index p = k + c;
    Index q = 0;
    panel.col(c).tail(d_ - p).cwiseAbs().maxCoeff(&q);
    q += p;
    row_of_[as_size(p)] = q;
    if (q != p) panel.row(p).swap(panel.row(q));
    const double inverse = 1 / panel(p, c);
    for (Index j = 0; j < n; ++j) {
      if (j == c) continue;
      const double factor = panel(p, j) * inverse;
      panel.col(j) -= factor * panel.col(c);
      panel(p, j) = factor;
    }
    panel.col(c) *= -inverse;
    panel(p, c) = inverse;
  }
}

/// Swaps the rows of another column as the panel's were and moves the pivots' rows of it to the table.
void Inverse::take_rows(Matrix& A, Index j, Index k, Index n) {
  double* const column = A.data() + j * d_;
  for (Index p = k; p < k + n; ++p) std::swap(column[p], column[row_of_[as_size(p)]]);
  std::copy_n(column + k, n, table_.data() + j * n);
  std::fill_n(column + k, n, 0.0);
}

/// What the elimination of the panel means for columns `begin` to `end`.
void Inverse::apply_panel(Matrix& A, Index k, Index n, Index begin, Index end) {
  const Eigen::Map<const Matrix> rows(table_.data() + begin * n, n, end - begin);
  accumulate_product(1, A.middleCols(k, n), rows, A.middleCols(begin, end - begin));
}

/// The unused row with the largest entry. Numbers >= 0 are ordered as their bits are, so the row fits into the last
/// ones, and the search needs no branch.
SUREFOOT_INLINE Index Inverse::pivot(const double* a, const std::uint64_t* unused, Index d) {
  constexpr std::uint64_t row_bits = largest_table - 1;
  std::uint64_t best = 0;
  for (Index i = 0; i < d; ++i) {
    const std::uint64_t key = (bits_as<std::uint64_t>(std::abs(a[i])) & ~row_bits) | static_cast<std::uint64_t>(i);
    best = std::max(best, key & unused[i]);
  }
  return static_cast<Index>(best & row_bits);
}

/// Exchanges column k with the pivot's row p for all k: A(:, j) -= A(:, k) A(p, j)/A(p, k), A(p, j) /= A(p, k).
template <class Pack>
SUREFOOT_INLINE void Inverse::eliminate() {
  double* const table = table_.data();
  double* const column = column_.data();
  Index* const row_of = row_of_.data();
  const Index d = d_;
  const Index stride = stride_;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): all bits set
  std::array<std::uint64_t, std::size_t{largest_table}> unused;
  std::fill_n(unused.begin(), d, ~std::uint64_t{0});
  for (Index k = 0; k < d; ++k) {
    double* const a = table + k * stride;
    const Index p = pivot(a, unused.data(), d);
    const double inverse = 1 / a[p];
    // Ones, and zero in row p. Single numbers written into what is read as packs soon after would stall the
    // processor.
    const double* const keep = ones_around_zero.data() + largest_table - p;
    row_of[k] = p;
    unused[static_cast<std::size_t>(p)] = 0;
    for (Index i = 0; i < stride; i += lanes<Pack>) {  // A(:, k), and -1 in row p
      const Pack kept = load<Pack>(keep + i);
      store(column + i, kept * load<Pack>(a + i) - (1 - kept));
    }
    for (Index j = 0; j < d; ++j) {
      double* const b = table + j * stride;
      const double factor = b[p] * inverse;
      for (Index i = 0; i < stride; i += lanes<Pack>) {
        store(b + i, load<Pack>(keep + i) * load<Pack>(b + i) - load<Pack>(column + i) * factor);
      }
    }
    for (Index i = 0; i < stride; i += lanes<Pack>) store(a + i, 0 - load<Pack>(column + i) * inverse);
  }
}

void Inverse::eliminate_in_table(const Matrix& A, Matrix& result) {
  for (Index j = 0; j < d_; ++j) std::copy_n(A.data() + j * d_, d_, table_.data() + j * stride_);
  with_widest_packs([&](auto packs) SUREFOOT_KERNEL { eliminate<typename decltype(packs)::Real>(); });
  // Row p of the table belongs to the column that p was the pivot of, and the other way round.
  for (Index k = 0; k < d_; ++k) {
    const double* from = table_.data() + k * stride_;
    double* to = result.data() + row_of_[static_cast<std::size_t>(k)];
    for (Index j = 0; j < d_; ++j) to[j * d_] = from[row_of_[static_cast<std::size_t>(j)]];
  }
}

}  // namespace surefoot
