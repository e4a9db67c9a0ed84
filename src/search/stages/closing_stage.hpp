#pragma once

#include "search/stage.hpp"

namespace surefoot {

/// The rest of a budget that has no room for another generation: the mean of the run, unless it has a value already,
/// and samples. Nothing is learned from them.
class ClosingStage final : public Stage {
 public:
  /// The run must outlive it.
  explicit ClosingStage(Run& run) : run_(run) {}

  [[nodiscard]] std::string_view name() const override { return "closing"; }
  [[nodiscard]] Counting counting() const override { return {.has_mean = true}; }
  [[nodiscard]] Index size() const override;
  const Matrix& ask(Index count, const Tally& tally, Matrix& room) override;
  [[nodiscard]] Consequence learn(const GenerationValues& /*told*/, const Tally& /*tally*/) override { return {}; }

 private:
  Run& run_;
};

}  // namespace surefoot
