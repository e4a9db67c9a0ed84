#pragma once

#include <Eigen/LU>
#include <memory>

#include "core/rank_weights.hpp"
#include "core/ranking.hpp"
#include "core/symmetric_exponential.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot {

/// Exponential natural evolution strategy [Glasmachers2010], [NomuraOno2022, Algorithm 1].
class Xnes final : public Strategy {
 public:
  explicit Xnes(const StrategyContext& context);

  [[nodiscard]] Index popsize() const override { return z_.cols(); }
  [[nodiscard]] const SearchDistribution& distribution() const override { return distribution_; }
  [[nodiscard]] LearningRates rates() const override { return rates_; }
  [[nodiscard]] std::optional<PathLength> path() const override { return policy_->path(); }

  const Matrix& ask(std::uint64_t generation, NormalSource& normals) override;
  void tell(const Matrix& candidates, const Vector& values) override;
  void visit(StateVisitor& visitor) override;

 private:
  void recover_normals(const Matrix& candidates);
  void estimate_gradient();
  void move();

  SearchDistribution distribution_;
  RankWeights weights_;
  std::unique_ptr<LearningRatePolicy> policy_;
  LearningRates rates_;

  // Workspace, kept so that a generation allocates nothing.
  Ranking ranking_;
  Matrix z_;                  // z_i ~ N(0, I), d x popsize, sampling order
  Matrix x_;                  // x_i = m + sigma B z_i
  Vector candidate_weights_;  // w of each candidate's rank, sampling order
  NaturalGradient gradient_;
  Matrix shape_step_;  // eta_B/2 G_B
  Matrix scaled_B_;    // sigma B
  Matrix next_B_;
  SymmetricExponential expm_;
};

}  // namespace surefoot
