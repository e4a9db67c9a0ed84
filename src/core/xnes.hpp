#pragma once

#include <memory>

#include "core/norm_bound.hpp"
#include "core/population.hpp"
#include "core/rank_weights.hpp"
#include "core/ranking.hpp"
#include "core/shape_update.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot {

/// Exponential natural evolution strategy [Glasmachers2010], [NomuraOno2022, Algorithm 1].
class Xnes final : public Strategy {
 public:
  explicit Xnes(StrategyContext context);

  [[nodiscard]] Index popsize() const override { return population_.size(); }
  [[nodiscard]] const SearchDistribution& distribution() const override { return distribution_; }
  [[nodiscard]] bool finite() const override;
  [[nodiscard]] LearningRates rates() const override { return rates_; }
  [[nodiscard]] std::optional<PathLength> path() const override { return policy_->path(); }

  const Matrix& ask(std::uint64_t generation, NormalSource& normals) override;
  void tell(const Matrix& candidates, const Vector& values) override;
  void correct(const Vector& shift, const Vector& factors) override;
  void visit(StateVisitor& visitor) override;

 private:
  void move();

  SearchDistribution distribution_;
  RankWeights weights_;
  std::unique_ptr<LearningRatePolicy> policy_;
  LearningRates rates_;
  std::unique_ptr<ShapeUpdate> update_;

  // Workspace, kept so that a generation allocates nothing.
  Ranking ranking_;
  Population population_;
  Vector candidate_weights_;  // w of each candidate's rank, sampling order
  Vector delta_;              // G_delta
  NormBound B_bound_;
};

}  // namespace surefoot
