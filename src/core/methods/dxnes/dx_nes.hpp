#pragma once

#include <memory>

#include "core/methods/dxnes/movement.hpp"
#include "core/methods/sampler.hpp"
#include "core/methods/xnes/shape_update.hpp"

namespace surefoot {

/// Constants of DX-NES; those of step size and shape are one a phase.
struct DxNesConstants {
  double c_sigma;                                                       // cumulation of the path
  double alpha;                                                         // of the distance weights
  double eta_sigma_moving, eta_sigma_stagnating, eta_sigma_converging;  // rates of the step size
  double eta_B_moving, eta_B;                                           // rates of the shape
};
DxNesConstants dx_nes_constants(Index dimension, Index popsize);

/// Distance-weighted exponential natural evolution strategy [Fukushima2011]: xNES with mirrored samples whose weights
/// and rates depend on whether the distribution moves, stagnates or converges.
class DxNes final : public Sampler<FullShape> {
 public:
  explicit DxNes(const StrategyContext& context);

  void report(Measures& measures) const override;

 private:
  void learn(const Ranking& ranking, const Vector& values) override;
  void visit_rest(StateVisitor& visitor) override { movement_.visit(visitor); }

  [[nodiscard]] LearningRates rates() const;

  DxNesConstants constants_;
  Movement movement_;
  std::unique_ptr<ShapeUpdate> update_;
};

}  // namespace surefoot
