#pragma once

#include <memory>

#include "search/noise/noise_watch.hpp"

namespace surefoot {

/// Evaluates points again, to see whether the objective is noisy and how much.
class RepeatStage final : public Stage {
 public:
  explicit RepeatStage(std::shared_ptr<NoiseWatch> noise) : noise_(std::move(noise)) {}

  [[nodiscard]] std::string_view name() const override { return "repeats"; }
  [[nodiscard]] Counting counting() const override { return {.is_in_run = false}; }
  [[nodiscard]] bool is_due(const Tally& /*tally*/) const override { return noise_->repeats().cols() > 0; }
  [[nodiscard]] Index size() const override { return noise_->repeats().cols(); }
  const Matrix& ask(Index count, const Tally& /*tally*/, Matrix& room) override;
  [[nodiscard]] Consequence learn(const GenerationValues& told, const Tally& tally) override;

  // The first of the stages that share the watch: it tells the watch what happens, and visits its state.

  void see(const Matrix& points, const Generation& generation, const Counting& counting) override {
    noise_->see(points, generation, counting);
  }
  void look(const Run& run, const Tally& tally) override { noise_->look(run, tally); }
  [[nodiscard]] std::optional<NoiseFound> noise() const override;
  void visit(StateVisitor& visitor) override { noise_->visit(visitor); }

 private:
  std::shared_ptr<NoiseWatch> noise_;
};

}  // namespace surefoot
