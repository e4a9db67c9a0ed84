#pragma once

#include <optional>

#include "core/constants_text.hpp"
#include "core/methods/sampler.hpp"
#include "core/ranking/rank_weights.hpp"

namespace surefoot {

/// Constants of SNES.
struct SnesConstants {
  double eta_m = 1;
  std::optional<double> eta_sigma = {};  // (3 + ln d)/(5 sqrt d)
};
Slots slots_of(SnesConstants& constants);

/// Separable natural evolution strategy [Schaul2011]: one standard deviation a coordinate, no correlations. Time and
/// memory of a generation are linear in d; the state is two numbers a coordinate.
class Snes final : public Sampler<DiagonalShape> {
 public:
  /// \throws std::invalid_argument if a rate is not positive.
  Snes(const StrategyContext& context, const SnesConstants& constants);

  [[nodiscard]] double pace() const override { return eta_m_; }
  void report(Measures& measures) const override;

 private:
  void learn(const Ranking& ranking, const Vector& values) override;

  RankWeights weights_;
  double eta_m_;
  double eta_sigma_;

  Vector w_;  // weight of each candidate's rank, sampling order
};

}  // namespace surefoot
