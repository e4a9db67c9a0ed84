#pragma once

#include "core/constants_text.hpp"
#include "core/methods/cma/cma_movement.hpp"
#include "core/methods/cma/cma_step.hpp"
#include "core/methods/sampler.hpp"

namespace surefoot {

/// Constants of LRA-CMA-ES.
struct LraCmaConstants {
  CmaForm form = CmaForm::authors;
  double alpha = 1.4;        // signal-to-noise ratio that is aimed at, for each unit of the rate
  double beta_m = 0.1;       // cumulation of the mean's movement
  double beta_Sigma = 0.03;  // cumulation of the covariance's
  double gamma = 0.1;        // limits the change of a rate
};
Slots slots_of(LraCmaConstants& constants);

/// CMA-ES that takes a part of each of its steps: as much as keeps the ratio of signal to noise of the movements
/// constant [Nomura2023].
class LraCma final : public Sampler<FullShape> {
 public:
  /// \throws std::invalid_argument if a constant is out of its range.
  LraCma(const StrategyContext& context, const LraCmaConstants& constants);

  [[nodiscard]] double pace() const override { return mean_.eta; }
  void report(Measures& measures) const override;

 private:
  /// A rate, with the averages that it follows.
  template <class Moved>
  struct Rate {
    void adapt(const Moved& movement, double alpha, double gamma);

    double beta = 0;
    Moved E;       // average movement
    double V = 0;  // average of its square
    double eta = 1;
  };

  void learn(const Ranking& ranking, const Vector& values) override;
  void take_part_of_step();
  void scale_coordinates(const Vector& factors) override;
  void visit_rest(StateVisitor& visitor) override;

  LraCmaConstants own_;
  CmaConstants constants_;
  CmaState state_;
  CmaStep step_;
  CmaMovement movement_;
  Rate<Vector> mean_;
  Rate<Matrix> covariance_;
  Vector w_;  // of each candidate's rank, sampling order
};

}  // namespace surefoot
