#pragma once

#include <memory>
#include <optional>

#include "core/constants_text.hpp"
#include "core/methods/sampler.hpp"
#include "core/ranking/rank_weights.hpp"

namespace surefoot {

/// Constants of SNES.
struct SnesConstants {
  std::optional<double> eta_m = {};      // 1
  std::optional<double> eta_sigma = {};  // (3 + ln d)/(5 sqrt d)
};
Slots slots_of(SnesConstants& constants);

/// Separable natural evolution strategy [Schaul2011]: one standard deviation a coordinate, no correlations. Time and
/// memory of a generation are linear in d; the state is two numbers a coordinate, and with a policy of the learning
/// rates its path besides.
class Snes final : public Sampler<DiagonalShape> {
 public:
  /// \throws std::invalid_argument if a rate is not positive, or given twice.
  Snes(const StrategyContext& context, const SnesConstants& constants);

  [[nodiscard]] double pace() const override { return rates_.mean; }
  void report(Measures& measures) const override;

 private:
  void learn(const Ranking& ranking, const Vector& values) override;
  void visit_rest(StateVisitor& visitor) override;

  void move_with_constant_rates();
  void move_with_policy();

  RankWeights weights_;
  std::unique_ptr<LearningRatePolicy> policy_;  // null: the rates are constants
  LearningRates rates_;

  Vector w_;          // weight of each candidate's rank, sampling order
  Vector delta_, G_;  // with a policy: sum_i w_i z_i and sum_i w_i (z_i z_i - 1)
};

}  // namespace surefoot
