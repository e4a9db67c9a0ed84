#pragma once

#include "search/stage.hpp"

namespace surefoot {

/// What a run does in most of its generations: it evaluates populations, all of them or as many as a model wants.
class RunStage : public Stage {
 public:
  [[nodiscard]] Counting counting() const final { return {.is_of_run = true}; }

  /// Evaluations that the budget must have beyond those of the mean for another generation to begin.
  [[nodiscard]] virtual Index least() const = 0;
  /// Whether a generation has begun and still needs values.
  [[nodiscard]] virtual bool is_within_generation() const { return false; }
  /// After it was restored.
  virtual void resume(const Tally& /*tally*/) {}

  // With a model.

  [[nodiscard]] virtual bool has_model() const { return false; }
  /// Whether the model could rank the last population.
  [[nodiscard]] virtual bool is_model_accepted() const { return false; }
  /// A point that was evaluated outside of the run, search coordinates.
  virtual void remember(const Vector& /*x*/, double /*f*/) {}
  /// Seconds that the model has taken beyond what the evaluations allow, counted.
  [[nodiscard]] virtual double overdraft() const { return 0; }
  /// What the model measures. `size` is that of the present generation, which is of this stage or not.
  virtual void report(Measures& /*measures*/, bool /*is_present*/, Index /*size*/) const {}
};

}  // namespace surefoot
