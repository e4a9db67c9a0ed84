#pragma once

#include <vector>

#include "surefoot/normal_source.hpp"
#include "surefoot/state_visitor.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// The distribution of choices without an order, beside a normal distribution: each choice n has a value k with
/// probability q_nk, independent of the others [Hamano2024]. The natural gradient of q is followed at a speed that
/// adapts to the ratio of signal to noise. No probability falls below a margin [Hamano2025].
class Categorical {
 public:
  /// `sizes` has the number of values of each choice, 2 or more. `discrete` counts the choices and the other discrete
  /// coordinates of the search.
  Categorical(const std::vector<Index>& sizes, Index discrete);

  [[nodiscard]] bool empty() const { return q_.empty(); }

  /// One column a candidate, one row a choice: the numbers of the values. They are drawn from normals of their own.
  const Matrix& sample(std::uint64_t generation, NormalSource& normals, Index popsize);

  /// Learns from a population that was sampled, or replaced by the caller. Without differences in merit nothing
  /// changes.
  void learn(const Matrix& choices, const Vector& merits);

  /// The most probable values, one a choice.
  [[nodiscard]] Vector favourites() const;
  /// Probability of another value than the most probable one, for each choice.
  [[nodiscard]] Vector doubts() const;
  /// Whether no other value is more probable than the margin makes it, up to a factor of 2.
  [[nodiscard]] bool has_settled() const;

  [[nodiscard]] const std::vector<Vector>& probabilities() const { return q_; }
  /// Takes over probabilities of the same sizes.
  void start_from(const std::vector<Vector>& probabilities);

  void visit(StateVisitor& visitor);

 private:
  [[nodiscard]] double least(std::size_t n) const;
  void keep_margin(std::size_t n);
  void weigh(const Vector& merits);
  /// The natural gradient as a row of vectors, and its coordinates in which the Fisher matrix is the identity.
  void measure(const Matrix& choices);
  void adapt();

  std::vector<Vector> q_;
  double all_least_;      // probability that some discrete coordinate leaves its value
  Vector s_bar_;          // path of the gradient's direction
  double gamma_ = 0;      // its variance under a random ranking
  double big_delta_ = 1;  // 1/delta, delta being the length of a step

  // Workspace.
  Matrix choices_;
  std::vector<Index> order_;
  Vector w_;
  std::vector<Vector> gradient_;
  Vector s_;
};

}  // namespace surefoot
