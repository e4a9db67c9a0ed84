#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "surefoot/executor.hpp"

namespace surefoot {

/// Some coordinates that follow each other.
struct Block {
  Index begin;
  Index size;

  /// The coordinates of a vector, as an array.
  template <class V>
  [[nodiscard]] auto of(V& vector) const {
    return vector.segment(begin, size).array();
  }
};

/// The coordinates of a method for very many variables, in blocks of a fixed size. An executor may do several blocks at
/// a time. Sums are formed within blocks and then pairwise over them, so that their bits do not depend on it.
class Blocks {
 public:
  /// What belongs to a block stays in the first caches. Even, because normals come in pairs.
  static constexpr Index size = 512;

  explicit Blocks(Index dimension, std::shared_ptr<Executor> executor = {})
      : dimension_(dimension), executor_(std::move(executor)) {}

  [[nodiscard]] Index count() const { return std::max<Index>(1, (dimension_ + size - 1) / size); }

  /// Null: one thread does everything.
  [[nodiscard]] Executor* executor() const { return executor_.get(); }

  /// Calls work(block) for each block.
  template <class Work>
  void each(const Work& work) const {
    for_each_number([&](Index k) { work(at(k)); });
  }

  /// The sum over the blocks of what term(block, part) writes to its part, an array of `terms` numbers.
  template <class Term>
  Eigen::Map<const Eigen::ArrayXd> sums(Index terms, const Term& term) {
    const Index blocks = count();
    if (parts_.size() < static_cast<std::size_t>(terms * blocks))
      parts_.resize(static_cast<std::size_t>(terms * blocks));
    for_each_number([&](Index k) { term(at(k), part(terms, k)); });
    for (Index step = 1; step < blocks; step *= 2) {
      for (Index k = 0; k + step < blocks; k += 2 * step) part(terms, k) += part(terms, k + step);
    }
    return {parts_.data(), terms};
  }

  /// The sum over the blocks of the numbers term(block).
  template <class Term>
  double sum(const Term& term) {
    return sums(1, [&](const Block& block, auto part) { part[0] = term(block); })[0];
  }

 private:
  using Part = Eigen::Map<Eigen::ArrayXd>;

  [[nodiscard]] Block at(Index k) const { return {k * size, std::min(size, dimension_ - k * size)}; }
  [[nodiscard]] Part part(Index terms, Index k) { return {parts_.data() + terms * k, terms}; }

  /// By reference: a function object that is passed by value may allocate.
  template <class Work>
  void for_each_number(const Work& work) const {
    if (executor_ && count() > 1) {
      executor_->run(count(), std::cref(work));
    } else {
      for (Index k = 0; k < count(); ++k) work(k);
    }
  }

  Index dimension_;
  std::shared_ptr<Executor> executor_;  // null: one block after the other
  std::vector<double> parts_;           // workspace of sums
};

}  // namespace surefoot
