#pragma once

#include "core/methods/dxnes/movement.hpp"

namespace surefoot {

/// The positive root a of (1 + a^2) exp(a^2/2)/0.24 = 10 + d, the limit of useful distance weights [Nomura2021].
double distance_exponent(Index dimension);

/// Rates that follow the number of feasible candidates: DX-NES-IC's, on which FM-NES and CR-FM-NES build [Nomura2021].
class ImplicitRates {
 public:
  ImplicitRates(Index dimension, Index popsize);

  [[nodiscard]] double c_sigma() const { return (mu_eff_ + 2) / (d_ + mu_eff_ + 5); }
  /// Exponent of the distance weights.
  [[nodiscard]] double alpha(Index feasible) const;
  [[nodiscard]] double eta_sigma(Phase phase, Index feasible) const;
  /// The rate of the shape that all phases have a multiple of.
  [[nodiscard]] double eta_B(Index feasible) const;
  [[nodiscard]] double eta_B(Phase phase, Index feasible) const;

  /// Cumulation of the path of the rank-one update, as in CMA-ES.
  [[nodiscard]] double c_c() const { return (4 + mu_eff_ / d_) / (d_ + 4 + 2 * mu_eff_ / d_); }
  /// Rate of the rank-one update.
  [[nodiscard]] double c_1(Index feasible) const;

 private:
  double d_, lambda_;
  double mu_eff_;
  double alpha_;  // with all candidates feasible
};

}  // namespace surefoot
