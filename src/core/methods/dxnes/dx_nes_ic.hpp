#pragma once

#include <memory>

#include "core/methods/dxnes/expansion.hpp"
#include "core/methods/dxnes/implicit_rates.hpp"
#include "core/methods/sampler.hpp"
#include "core/methods/xnes/shape_update.hpp"

namespace surefoot {

/// DX-NES for implicit constraints [Nomura2021]: rates follow the number of feasible candidates, and the distribution
/// expands faster while it moves.
class DxNesIc final : public Sampler<FullShape> {
 public:
  explicit DxNesIc(const StrategyContext& context);

  void report(Measures& measures) const override;

 private:
  void learn(const Ranking& ranking, const Vector& values) override;
  void visit_rest(StateVisitor& visitor) override;

  ImplicitRates constants_;
  Movement movement_;
  Expansion expansion_;
  std::unique_ptr<ShapeUpdate> update_;
  LearningRates eta_;  // of the last generation, for observers
};

}  // namespace surefoot
