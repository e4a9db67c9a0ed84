#pragma once

#include <optional>

#include "core/constants_text.hpp"
#include "core/methods/cma/cma_movement.hpp"
#include "core/methods/cma/cma_step.hpp"
#include "core/methods/sampler.hpp"

namespace surefoot {

/// Constants of PSA-CMA-ES.
struct PsaCmaConstants {
  double alpha = 1.4;                     // squared length of the path that is aimed at
  double beta = 0.4;                      // cumulation, and rate of the population size
  std::optional<double> lambda_max = {};  // 512 times the first and smallest population
};
Slots slots_of(PsaCmaConstants& constants);

/// CMA-ES that sets its population size: larger where the movements of the distribution look like those under a random
/// ranking, smaller where they continue in one direction [NishidaAkimoto2018].
class PsaCma final : public Sampler<FullShape> {
 public:
  /// \throws std::invalid_argument if a constant is out of its range.
  PsaCma(const StrategyContext& context, const PsaCmaConstants& constants);

  void report(Measures& measures) const override;

 private:
  void learn(const Ranking& ranking, const Vector& values) override;
  void follow_movement();
  void choose_popsize();
  void use_popsize(Index popsize);
  void scale_coordinates(const Vector& factors) override;
  void visit_rest(StateVisitor& visitor) override;

  PsaCmaConstants own_;
  double lambda_min_;
  double lambda_max_;
  CmaConstants constants_;  // of the present popsize
  CmaState state_;
  CmaStep step_;
  CmaMovement movement_;
  Vector p_m_;
  Matrix p_Sigma_;
  double gamma_theta_ = 0;
  double lambda_;  // the population size as a real number
  double E_ = 0;   // expected squared length of the movement under a random ranking
  double p_theta2_ = 0;
  Vector w_;  // of each candidate's rank, sampling order
};

}  // namespace surefoot
