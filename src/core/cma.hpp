#pragma once

#include <cstdint>

#include "core/cma_constants.hpp"
#include "core/population.hpp"
#include "core/ranking.hpp"
#include "core/symmetric_eigen.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot {

/// Evolution strategy with adaptation of the covariance matrix and negative weights (active CMA-ES) [Hansen2016].
///
/// Samples from N(m, sigma^2 C) by the symmetric root of C as last decomposed: B = C^{1/2}, so that C^{-1/2} y_i is
/// z_i. Other roots depend on the signs of eigenvectors, which rounding may turn over.
class Cma final : public Strategy {
 public:
  /// \throws std::invalid_argument if a learning rate policy is given: CMA-ES has none.
  explicit Cma(StrategyContext context);

  [[nodiscard]] Index popsize() const override { return population_.size(); }
  [[nodiscard]] const SearchDistribution& distribution() const override { return distribution_; }
  [[nodiscard]] bool finite() const override;
  [[nodiscard]] LearningRates rates() const override;
  [[nodiscard]] std::optional<PathLength> path() const override { return std::nullopt; }

  const Matrix& ask(std::uint64_t generation, NormalSource& normals) override;
  void tell(const Matrix& candidates, const Vector& values) override;
  void correct(const Vector& shift, const Vector& factors) override;
  void visit(StateVisitor& visitor) override;

 private:
  void move();
  [[nodiscard]] bool is_path_short() const;
  void update_covariance(bool is_short);
  void decompose();

  CmaConstants constants_;
  double chi_;  // E|N(0, I)|
  SearchDistribution distribution_;
  Matrix C_;
  Vector p_sigma_;
  Vector p_c_;
  std::int64_t g_ = 0;  // generations

  // Workspace, kept so that a generation allocates nothing.
  Ranking ranking_;
  Population population_;
  Vector w_;           // of each candidate's rank, sampling order
  Vector positive_w_;  // the same, 0 for the worse half
  Vector y_w_, z_w_;   // weighted means of the better half
  Matrix columns_;     // y_i, and p_c
  Vector column_weights_;
  Eigen::SelfAdjointEigenSolver<Matrix> solver_;
  Vector eigenvalues_;
};

}  // namespace surefoot
