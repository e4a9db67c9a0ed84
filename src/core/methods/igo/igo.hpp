#pragma once

#include <optional>

#include "core/constants_text.hpp"
#include "core/linear_algebra/symmetric_eigen.hpp"
#include "core/methods/igo/geodesic_step.hpp"
#include "core/methods/igo/igo_form.hpp"
#include "core/methods/sampler.hpp"

namespace surefoot {

/// Constants of IGO.
struct IgoConstants {
  IgoForm form = IgoForm::rank_mu;
  std::optional<double> dt = {};  // rate of the covariance; CMA-ES' rate of the rank-mu update
};
Slots slots_of(IgoConstants& constants);

/// Information-geometric optimisation of mean and covariance [Ollivier2017]: no step size, no paths.
///
/// Every form moves the distribution to m + C^{1/2} e and C^{1/2} T C^{1/2}, where e and T follow from g = sum_i w_i
/// z_i and G = sum_i w_i z_i z_i^T. The normal's shape is the symmetric root C^{1/2}, with det B = 1.
class Igo final : public Sampler<FullShape> {
 public:
  /// \throws std::invalid_argument if dt is not between 0 and 1.
  Igo(const StrategyContext& context, const IgoConstants& constants);

  static Index default_popsize(Index dimension) { return 5 * dimension; }
  /// Of two candidates the better one has all the weight, and CMA-ES' rate is 0.
  static Index smallest_popsize(Index /*dimension*/) { return 3; }

  [[nodiscard]] double pace() const override { return dt_m_; }
  void report(Measures& measures) const override;

 private:
  void learn(const Ranking& ranking, const Vector& values) override;
  void scale_root() override;

  void move();
  void decompose();

  IgoForm form_;
  Vector weights_;  // of the ranks; their sum is 1
  double dt_m_;     // rate of the mean
  double dt_;       // rate of the covariance
  bool has_scaled_root_ = false;

  std::optional<GeodesicStep> geodesic_;  // of gigo
  Eigen::SelfAdjointEigenSolver<Matrix> solver_;
  Vector w_;     // weight of each candidate's rank, sampling order
  Vector e_;     // g, then the movement of the mean
  Vector step_;  // C^{1/2} e
  Matrix T_;     // G, then the covariance's factor
  Matrix BT_, C_;
};

}  // namespace surefoot
