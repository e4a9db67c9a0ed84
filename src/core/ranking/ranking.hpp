#pragma once

#include <vector>

#include "surefoot/types.hpp"

namespace surefoot {

/// The order of a population by value. The one place that decides what NaN and infinity mean: they rank last.
class Ranking {
 public:
  explicit Ranking(Index popsize);

  /// Best first; equal values keep their sampling order, and so do the values that are not finite, at the end.
  /// False if no value is finite: such a ranking carries no information.
  bool sort(const Vector& values);

  /// How many values were finite: those of the feasible candidates, which come first.
  [[nodiscard]] Index feasible() const { return static_cast<Index>(finite_.size()); }

  /// Orders the candidates that are not feasible by their distance from the mean, nearest first, in place of the
  /// sampling order [Nomura2021].
  void sort_infeasible(const Vector& distances);

  /// Lets candidates of equal value share the average of their weights in `assign` too.
  void average_ties(bool averages) { averages_ties_ = averages; }

  /// Gives weight k to the candidate of rank k.
  void assign(const Vector& rank_weights, Vector& candidate_weights) const;

  /// The same, but candidates of equal value share the average of their weights, so that a plateau is neutral whatever
  /// the sampling order; so do all that are not finite.
  void assign_averaged(const Vector& rank_weights, const Vector& values, Vector& candidate_weights) const;

  [[nodiscard]] const std::vector<Index>& order() const { return order_; }

 private:
  struct Ranked {
    double value;
    Index candidate;
  };

  void sort_block(std::size_t begin, std::size_t end);
  void merge(std::size_t begin, std::size_t middle, std::size_t end);

  std::vector<Index> order_;
  std::vector<Ranked> finite_;  // values next to each other, for the sort
  std::vector<Ranked> sorted_;
  bool averages_ties_ = false;
};

}  // namespace surefoot
