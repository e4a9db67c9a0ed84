#pragma once

#include "core/methods/dxnes/implicit_rates.hpp"
#include "core/methods/sampler.hpp"

namespace surefoot {

/// Cost-reduction fast moving natural evolution strategy [NomuraOno2022b], as in the authors' version 1.0: the
/// covariance has one scale a coordinate and one direction. Time and memory of a candidate are linear in d.
class CrFmNes final : public Sampler<VectorShape> {
 public:
  explicit CrFmNes(const StrategyContext& context);

  void report(Measures& measures) const override;

 private:
  void begin(NormalSource& normals) override;
  void learn(const Ranking& ranking, const Vector& values) override;
  void scale_coordinates(const Vector& factors) override;
  void visit_rest(StateVisitor& visitor) override;

  Phase weigh(Index feasible);
  void move_shape(double c_1);

  ImplicitRates constants_;
  Movement movement_;
  Vector p_c_;         // path of the mean, in units of sigma
  LearningRates eta_;  // of the last generation, for observers

  // Workspace, kept so that a generation allocates little.
  Vector distances_;               // |z_i|
  Vector mean_, squares_, mixed_;  // sums over the population
  Vector work_;
};

}  // namespace surefoot
