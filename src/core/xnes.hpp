#pragma once

#include <memory>

#include "core/rank_weights.hpp"
#include "core/ranking.hpp"
#include "core/shape_update.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot {

/// Exponential natural evolution strategy [Glasmachers2010], [NomuraOno2022, Algorithm 1].
class Xnes final : public Strategy {
 public:
  explicit Xnes(StrategyContext context);

  [[nodiscard]] Index popsize() const override { return z_.cols(); }
  [[nodiscard]] const SearchDistribution& distribution() const override { return distribution_; }
  [[nodiscard]] bool finite() const override;
  [[nodiscard]] LearningRates rates() const override { return rates_; }
  [[nodiscard]] std::optional<PathLength> path() const override { return policy_->path(); }

  const Matrix& ask(std::uint64_t generation, NormalSource& normals) override;
  void tell(const Matrix& candidates, const Vector& values) override;
  void visit(StateVisitor& visitor) override;

 private:
  void recover_normals(const Matrix& candidates);
  void move();

  SearchDistribution distribution_;
  RankWeights weights_;
  std::unique_ptr<LearningRatePolicy> policy_;
  LearningRates rates_;
  std::unique_ptr<ShapeUpdate> update_;

  // Workspace, kept so that a generation allocates nothing.
  Ranking ranking_;
  Matrix z_;                  // z_i ~ N(0, I), d x popsize, sampling order
  Matrix y_;                  // B z_i
  Matrix x_;                  // m + sigma y_i
  Vector candidate_weights_;  // w of each candidate's rank, sampling order
  Vector delta_;              // G_delta
  double B_bound_;            // of the Frobenius norm of B
};

}  // namespace surefoot
