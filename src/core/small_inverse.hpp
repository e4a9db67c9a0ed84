#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/pack.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// Inverse of a small matrix by Gauss-Jordan elimination in place, with pivots found by column. At ten rows a third of
/// the time of Eigen's LU decomposition and solution.
class SmallInverse {
 public:
  static constexpr Index largest = 128;

  explicit SmallInverse(Index d)
      : d_(d),
        stride_((d + 3) / 4 * 4),
        table_(static_cast<std::size_t>(d > largest ? 0 : stride_ * d)),
        column_(static_cast<std::size_t>(stride_)),
        row_of_(static_cast<std::size_t>(d)) {}

  /// result := A^{-T}; not finite if A is singular.
  void transposed(const Matrix& A, Matrix& result) {
    for (Index j = 0; j < d_; ++j) std::copy_n(A.data() + j * d_, d_, table_.data() + j * stride_);
    with_widest_packs([&](auto packs) SUREFOOT_KERNEL { eliminate<typename decltype(packs)::Real>(); });
    // Row p of the table belongs to the column that p was the pivot of, and the other way round.
    for (Index k = 0; k < d_; ++k) {
      const double* from = table_.data() + k * stride_;
      double* to = result.data() + row_of_[static_cast<std::size_t>(k)];
      for (Index j = 0; j < d_; ++j) to[j * d_] = from[row_of_[static_cast<std::size_t>(j)]];
    }
  }

 private:
  /// Exchanges column k with the pivot's row p for all k: A(:, j) -= A(:, k) A(p, j)/A(p, k), A(p, j) /= A(p, k).
  template <class Pack>
  SUREFOOT_INLINE void eliminate() {
    double* const table = table_.data();
    double* const column = column_.data();
    Index* const row_of = row_of_.data();
    const Index d = d_;
    const Index stride = stride_;
    std::array<std::uint64_t, largest> unused;  // NOLINT(cppcoreguidelines-pro-type-member-init): all bits set
    std::fill_n(unused.begin(), d, ~std::uint64_t{0});
    for (Index k = 0; k < d; ++k) {
      double* const a = table + k * stride;
      const Index p = pivot(a, unused.data(), d);
      const double inverse = 1 / a[p];
      // Ones, and zero in row p. Single numbers written into what is read as packs soon after would stall the
      // processor.
      const double* const keep = ones_around_zero.data() + largest - p;
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

  /// The unused row with the largest entry. Numbers >= 0 are ordered as their bits are, so the row fits into the last
  /// ones, and the search needs no branch.
  SUREFOOT_INLINE static Index pivot(const double* a, const std::uint64_t* unused, Index d) {
    constexpr std::uint64_t row_bits = largest - 1;
    std::uint64_t best = 0;
    for (Index i = 0; i < d; ++i) {
      const std::uint64_t key = (bits_as<std::uint64_t>(std::abs(a[i])) & ~row_bits) | static_cast<std::uint64_t>(i);
      best = std::max(best, key & unused[i]);
    }
    return static_cast<Index>(best & row_bits);
  }

  static constexpr auto ones_around_zero = [] {
    std::array<double, 2 * largest> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i == largest ? 0 : 1;
    return numbers;
  }();

  Index d_;
  Index stride_;  // whole packs
  std::vector<double> table_;
  std::vector<double> column_;
  std::vector<Index> row_of_;
};

}  // namespace surefoot
