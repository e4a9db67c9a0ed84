#pragma once

#include <cstdint>
#include <memory>

#include "core/methods/sampler.hpp"
#include "core/methods/xnes/dense_update.hpp"
#include "core/methods/xnes/ig_constants.hpp"
#include "core/methods/xnes/patience.hpp"
#include "core/methods/xnes/shape_update.hpp"

namespace surefoot {

/// xNES with an information gate: all rates follow the share of the ranking that a local model explains
/// (docs/explanation/information-gate.md). The paths live in the frame of B, so a generation takes O(d^2 popsize).
class IgXnes final : public Sampler<FullShape> {
 public:
  explicit IgXnes(const StrategyContext& context);

  [[nodiscard]] bool is_probing() const override { return patience_.is_probing(); }
  [[nodiscard]] double pace() const override { return rates_.mean; }
  void report(Measures& measures) const override;

 private:
  void sample(std::uint64_t generation, NormalSource& normals) override;
  void learn(const Ranking& ranking, const Vector& values) override;
  void visit_rest(StateVisitor& visitor) override;
  [[nodiscard]] double sampling_scale() const override { return patience_.scale(); }

  void measure_gradient();
  double measure_shape_signal();
  [[nodiscard]] double gate() const;
  [[nodiscard]] double information(double shape_signal) const;
  void move_gate(double information, double urgency);
  double follow_mean_path(double path_share);
  void move_shape();
  void exponentiate_step();
  void adapt_shape_rate();

  RankWeights weights_;
  IgConstants constants_;
  double chi_;        // E|N(0, I)|
  double L_min_;      // ln eta_m_min
  double g_settled_;  // generations from which on the variance of the path of the mean is 1 to rounding
  std::unique_ptr<ShapeUpdate> update_;
  DenseUpdate* dense_;   // the update, if it is dense
  LearningRates rates_;  // that were applied last

  // State of the rule.
  Vector p_sigma_;        // path of the mean
  Vector q_;              // path of the mean for the rank-one term
  Matrix P_;              // path of the shape; of the low-rank route the lower part
  double shape_snr_ = 0;  // squared signal-to-noise ratio of a step of the shape
  double information_;    // average
  double kappa_ = 1;      // the gate
  double L_ = 0;          // ln of the path's factor in the rate of the mean
  double eta_B_;
  std::int64_t g_ = 0;  // generations
  Patience patience_;

  // Workspace, kept so that a generation allocates nothing.
  Vector w_;              // of each candidate's rank, sampling order
  Vector v_;              // the same for the shape
  Vector squared_norms_;  // |z_i|^2
  Vector delta_;          // G_delta
  double G_sigma_ = 0;
  Vector step_;        // B G_delta
  double q_gain_ = 0;  // of q for G_delta
  Matrix G_;           // of the dense route: Z diag(v) Z^T

  // Of the low-rank route, in which q and B q are one more column of the population's z and y.
  Vector column_weights_;
  Matrix weighted_z_;  // b Z diag(v)
  Vector dots_;
};

}  // namespace surefoot
