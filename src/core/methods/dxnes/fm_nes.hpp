#pragma once

#include <cstdint>

#include "core/linear_algebra/symmetric_exponential.hpp"
#include "core/methods/dxnes/expansion.hpp"
#include "core/methods/dxnes/implicit_rates.hpp"
#include "core/methods/sampler.hpp"

namespace surefoot {

/// Fast moving natural evolution strategy [NomuraOno2021]: DX-NES-IC with a rank-one update along the path of the mean
/// while it moves, and a shape that is forgotten when the first infeasible candidate is met.
class FmNes final : public Sampler<FullShape> {
 public:
  explicit FmNes(const StrategyContext& context);

  void report(Measures& measures) const override;

 private:
  void learn(const Ranking& ranking, const Vector& values) override;
  void scale_coordinates(const Vector& factors) override;
  void visit_rest(StateVisitor& visitor) override;

  void forget_shape();
  void move_shape(const Vector& w, double G_sigma, bool is_moving, double c_1);
  void set_covariance(const Matrix& A);

  ImplicitRates constants_;
  Movement movement_;
  Expansion expansion_;
  Vector start_;             // shape of the start, one number a coordinate
  Vector p_c_;               // path of the mean, in units of sigma
  std::int64_t forgot_ = 0;  // 1 once the shape was forgotten
  LearningRates eta_;        // of the last generation, for observers

  SymmetricExponential expm_;
  Eigen::SelfAdjointEigenSolver<Matrix> root_;
};

}  // namespace surefoot
