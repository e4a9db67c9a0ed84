#pragma once

#include "core/linear_algebra/dense_solvers.hpp"
#include "core/methods/cma/cma_step.hpp"
#include "core/methods/sampler.hpp"

namespace surefoot {

/// CMA-ES that adapts c_1, c_mu and c_c by a second CMA-ES: those rates are good with which the last update would have
/// made the present best candidates likely [Loshchilov2014]. Details that the paper leaves open are chosen here.
class SelfCma final : public Sampler<FullShape> {
 public:
  explicit SelfCma(const StrategyContext& context);

  static Index default_popsize(Index dimension);
  /// Below, the rates rise until C degenerates.
  static Index smallest_popsize(Index dimension) { return std::max<Index>(4, 3 * dimension); }

  void report(Measures& measures) const override;

 private:
  void draw_more(std::uint64_t generation, NormalSource& normals) override;
  void learn(const Ranking& ranking, const Vector& values) override;
  void scale_coordinates(const Vector& factors) override;
  void scale_root() override;
  void visit_rest(StateVisitor& visitor) override;

  void adapt_rates(const Ranking& ranking);
  double rank_sum(const Vector& theta, const Ranking& ranking);
  void use(const Vector& theta);

  CmaConstants constants_;  // c_1, c_mu and c_c of them are adapted
  CmaState state_;
  CmaStep step_;
  Vector w_;  // of each candidate's rank, sampling order

  // The last update, to be repeated with other rates.
  CmaState before_;  // C and p_c before it, and h_sigma
  Vector y_w_;
  Matrix C_mu_;

  // The second CMA-ES.
  Normal<FullShape> theta_;
  CmaConstants theta_constants_;
  CmaState theta_state_;
  CmaStep theta_step_;
  Population<FullShape> thetas_;
  Ranking theta_ranking_;
  Vector theta_w_;
  Vector scores_;

  // Workspace.
  CmaState trial_;
  Eigen::LLT<Matrix> cholesky_;
  Matrix steps_;  // x_i - m
  Vector distances_;
  Ranking distance_ranking_;
};

}  // namespace surefoot
