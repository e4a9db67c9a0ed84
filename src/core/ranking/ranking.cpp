#include "core/ranking/ranking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/linear_algebra/pack.hpp"
#include "surefoot/outcome.hpp"

// The order of random values is what a processor cannot guess, and std::sort pays for every wrong guess: a third of a
// generation of Rastrigin. Here nothing branches on a comparison, which takes a third of std::sort's time from 30 to
// 300 values.

namespace surefoot {
namespace {

constexpr std::size_t block_size = 64;
constexpr std::size_t longest_pack = lanes<LongPacks::Real>;
static_assert(block_size % longest_pack == 0);

using BlockValues = std::array<double, block_size>;
using BlockRanks = std::array<std::size_t, block_size>;

/// For each of the first n values, how many of them are less. Whole packs are computed.
template <class Packs>
SUREFOOT_INLINE void count_less(const BlockValues& values, std::size_t n, BlockRanks& less) {
  using Real = typename Packs::Real;
  using Count = decltype(Real{} < Real{});  // -1 where true
  constexpr std::size_t step = lanes<Real>;
  for (std::size_t i = 0; i < n; i += step) {
    const Real value = load<Real>(&values[i]);
    Count minus_count = {};
    for (std::size_t j = 0; j < n; ++j) minus_count += value > values[j];
    store(&less[i], -minus_count);
  }
}

}  // namespace

Ranking::Ranking(Index popsize) : order_(static_cast<std::size_t>(popsize)) {
  finite_.reserve(order_.size());
  sorted_.reserve(order_.size());
}

bool Ranking::sort(const Vector& values) {
  finite_.resize(static_cast<std::size_t>(values.size()));
  std::size_t n = 0;
  for (Index i = 0; i < values.size(); ++i) {
    finite_[n] = {values[i], i};
    if (is_finite(values[i])) ++n;
  }
  finite_.resize(n);
  sorted_.resize(n);
  for (std::size_t begin = 0; begin < n; begin += block_size) sort_block(begin, std::min(begin + block_size, n));
  for (std::size_t length = block_size; length < n; length *= 2) {
    for (std::size_t begin = 0; begin < n; begin += 2 * length) {
      merge(begin, std::min(begin + length, n), std::min(begin + 2 * length, n));
    }
    finite_.swap(sorted_);
  }
  auto next =
      std::transform(finite_.begin(), finite_.end(), order_.begin(), [](const Ranked& r) { return r.candidate; });
  for (Index i = 0; next != order_.end(); ++i) {
    if (!is_finite(values[i])) *next++ = i;
  }
  return n > 0;
}

/// By counting: the rank of a value is the number of those that are less, plus the equal ones before it.
void Ranking::sort_block(std::size_t begin, std::size_t end) {
  const std::size_t n = end - begin;
  BlockValues values;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  BlockRanks less;     // NOLINT(cppcoreguidelines-pro-type-member-init)
  Ranked* const from = finite_.data() + begin;
  Ranked* const to = sorted_.data() + begin;
  for (std::size_t i = 0; i < n; ++i) values[i] = from[i].value;
  for (std::size_t i = n; i % longest_pack != 0; ++i) values[i] = 0;
  with_widest_packs([&](auto packs) SUREFOOT_KERNEL { count_less<decltype(packs)>(values, n, less); });
  for (std::size_t i = 0; i < n; ++i) to[i].candidate = -1;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t rank = less[i];
    while (to[rank].candidate >= 0) ++rank;
    to[rank] = from[i];
  }
  std::copy_n(to, n, from);
}

/// Of equal values the left one goes first. The mask keeps the compiler from making a branch of the comparison.
void Ranking::merge(std::size_t begin, std::size_t middle, std::size_t end) {
  const Ranked* const from = finite_.data();
  Ranked* to = sorted_.data() + begin;
  std::size_t left = begin;
  std::size_t right = middle;
  while (left != middle && right != end) {
    const auto from_right = static_cast<std::size_t>(from[right].value < from[left].value);
    const std::size_t mask = 0 - from_right;
    *to++ = from[left ^ ((left ^ right) & mask)];
    left += 1 - from_right;
    right += from_right;
  }
  std::copy(from + right, from + end, std::copy(from + left, from + middle, to));
}

void Ranking::sort_infeasible(const Vector& distances) {
  std::stable_sort(order_.begin() + feasible(), order_.end(),
                   [&](Index a, Index b) { return distances[a] < distances[b]; });
}

void Ranking::assign(const Vector& rank_weights, Vector& candidate_weights) const {
  for (std::size_t k = 0; k < order_.size(); ++k) candidate_weights[order_[k]] = rank_weights[static_cast<Index>(k)];
  if (!averages_ties_) return;
  for (std::size_t begin = 0; begin < finite_.size();) {
    std::size_t end = begin + 1;
    while (end < finite_.size() && finite_[end].value == finite_[begin].value) ++end;
    const double weight = rank_weights.segment(static_cast<Index>(begin), static_cast<Index>(end - begin)).mean();
    for (std::size_t k = begin; end - begin > 1 && k < end; ++k) candidate_weights[order_[k]] = weight;
    begin = end;
  }
}

void Ranking::assign_averaged(const Vector& rank_weights, const Vector& values, Vector& candidate_weights) const {
  const auto is_tie = [&values](Index a, Index b) {
    return values[a] == values[b] || !(is_finite(values[a]) || is_finite(values[b]));
  };
  for (std::size_t begin = 0; begin < order_.size();) {
    std::size_t end = begin + 1;
    while (end < order_.size() && is_tie(order_[begin], order_[end])) ++end;
    candidate_weights[order_[begin]] = rank_weights[static_cast<Index>(begin)];
    if (end - begin > 1) {
      const double weight = rank_weights.segment(static_cast<Index>(begin), static_cast<Index>(end - begin)).mean();
      for (std::size_t k = begin; k < end; ++k) candidate_weights[order_[k]] = weight;
    }
    begin = end;
  }
}

}  // namespace surefoot
