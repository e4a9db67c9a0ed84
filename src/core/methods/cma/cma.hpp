#pragma once

#include "core/methods/cma/cma_step.hpp"
#include "core/methods/sampler.hpp"

namespace surefoot {

/// Evolution strategy with adaptation of the covariance matrix and negative weights (active CMA-ES) [Hansen2016].
class Cma final : public Sampler<FullShape> {
 public:
  explicit Cma(const StrategyContext& context);

  void report(Measures& measures) const override;

 private:
  void learn(const Ranking& ranking, const Vector& values) override;
  void scale_coordinates(const Vector& factors) override;
  void scale_root() override;
  void visit_rest(StateVisitor& visitor) override { state_.visit(visitor); }

  CmaConstants constants_;
  CmaState state_;
  CmaStep step_;
  Vector w_;  // of each candidate's rank, sampling order
};

}  // namespace surefoot
