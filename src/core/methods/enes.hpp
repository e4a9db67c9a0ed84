#pragma once

#include "core/constants_text.hpp"
#include "core/methods/sampler.hpp"

namespace surefoot {

/// Constants of eNES.
struct EnesConstants {
  double eta = 1;  // rate of mean and covariance
};
Slots slots_of(EnesConstants& constants);

/// Efficient natural evolution strategy [Sun2009]: the exact Fisher matrix of mean and Cholesky factor, a baseline for
/// each of its blocks. The normal's shape is lower triangular, with det B = 1.
class Enes final : public Sampler<FullShape> {
 public:
  /// \throws std::invalid_argument if eta is not positive.
  Enes(const StrategyContext& context, const EnesConstants& constants);

  static Index default_popsize(Index dimension) { return 10 * dimension; }
  /// Of two candidates neither has a utility.
  static Index smallest_popsize(Index /*dimension*/) { return 3; }

  void report(Measures& measures) const override;

 private:
  void learn(const Ranking& ranking, const Vector& values) override;

  void move_mean();
  void add_gradient(Index i);
  void move_shape();

  EnesConstants own_;
  Vector utilities_;  // of the ranks

  Vector u_;      // utility of each candidate's rank, sampling order
  Vector delta_;  // sum_i (u_i - b) y_i
  Vector s_, g_;  // suffix sum, and the gradient of a column
  // Over all candidates, for each column of the shape: gradients, those weighted by u, squared lengths, those weighted.
  Matrix sum_, weighted_sum_;
  Vector square_, weighted_square_;
};

}  // namespace surefoot
