#pragma once

#include <cstdint>

#include "core/methods/sampler.hpp"

namespace surefoot {

/// Weights and constants of sep-CMA-ES, as the cmaes library splits them.
struct SepCmaConstants {
  Vector w;        // of the ranks 1 (best) to popsize; 0 for the worse half
  double mu_eff;   // of the weights
  double c_sigma;  // cumulation for the step size
  double d_sigma;  // damping of the step size
  double c_c;      // cumulation for the rank-one update
  double c_1;      // rate of the rank-one update
  double c_mu;     // rate of the rank-mu update, (d + 2)/3 times as large as that of a full covariance
};
SepCmaConstants sep_cma_constants(Index dimension, Index popsize);

/// CMA-ES with a diagonal covariance [RosHansen2008]: no correlations, but a faster rate. Time and memory of a
/// generation are linear in d.
class SepCma final : public Sampler<DiagonalShape> {
 public:
  explicit SepCma(const StrategyContext& context);

 private:
  void learn(const Ranking& ranking, const Vector& values) override;
  void scale_coordinates(const Vector& factors) override;
  void visit_rest(StateVisitor& visitor) override;

  SepCmaConstants constants_;
  double chi_;  // E|N(0, I)|
  Vector p_sigma_;
  Vector p_c_;
  std::int64_t g_ = 0;  // generations

  // Workspace, kept so that a generation allocates nothing.
  Vector w_;        // weight of each candidate's rank, sampling order
  Vector mean_;     // sum_i w_i z_i, and that of y_i
  Vector squares_;  // sum_i w_i z_i z_i
};

}  // namespace surefoot
