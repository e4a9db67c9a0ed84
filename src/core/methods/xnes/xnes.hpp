#pragma once

#include <memory>

#include "core/methods/sampler.hpp"
#include "core/methods/xnes/shape_update.hpp"
#include "core/ranking/rank_weights.hpp"

namespace surefoot {

/// Exponential natural evolution strategy [Glasmachers2010], [NomuraOno2022, Algorithm 1].
class Xnes final : public Sampler<FullShape> {
 public:
  explicit Xnes(const StrategyContext& context);

  [[nodiscard]] double pace() const override { return rates_.mean; }
  void report(Measures& measures) const override;

 private:
  void learn(const Ranking& ranking, const Vector& values) override;
  void visit_rest(StateVisitor& visitor) override;

  RankWeights weights_;
  std::unique_ptr<LearningRatePolicy> policy_;
  LearningRates rates_;
  std::unique_ptr<ShapeUpdate> update_;

  // Workspace, kept so that a generation allocates nothing.
  Vector w_;      // weight of each candidate's rank, sampling order
  Vector delta_;  // G_delta
  Vector step_;   // B G_delta
};

}  // namespace surefoot
