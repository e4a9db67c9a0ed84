#pragma once

#include "core/methods/sampler.hpp"

namespace surefoot {

/// Limited-memory matrix adaptation [Loshchilov2018]: the shape is made of 4 + floor(3 ln d) directions, each a path of
/// another length. Time and memory of a candidate are linear in d, for each direction.
class LmMaEs final : public Sampler<LowRankShape> {
 public:
  explicit LmMaEs(const StrategyContext& context);

  static Index default_popsize(Index dimension);
  /// With two or three candidates one of them has all the weight, and sigma collapses at bounds.
  static Index smallest_popsize(Index /*dimension*/) { return 4; }
  /// Less than d/2, so that the rates of the paths are below 1.
  static Index largest_popsize(Index dimension) { return (dimension - 1) / 2; }

  void report(Measures& measures) const override;

 private:
  void learn(const Ranking& ranking, const Vector& values) override;
  void visit_rest(StateVisitor& visitor) override;

  Vector weights_;  // of the ranks; 0 for the worse half
  double mu_w_;
  double c_s_;
  Vector c_c_;  // of each direction
  Vector p_sigma_;
  std::int64_t t_ = 0;  // generations

  Vector w_;  // weight of each candidate's rank, sampling order
  Vector y_;  // weighted mean of the steps
  Matrix z_;  // the same where the distribution is N(0, I); a column
};

}  // namespace surefoot
