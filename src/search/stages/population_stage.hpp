#pragma once

#include "search/stages/run_stage.hpp"

namespace surefoot {

/// Whole populations of a run's strategy: the generations of the paper.
class PopulationStage final : public RunStage {
 public:
  /// The run must outlive it.
  explicit PopulationStage(Run& run) : run_(run) {}

  [[nodiscard]] std::string_view name() const override { return "population"; }
  [[nodiscard]] Index size() const override { return least(); }
  [[nodiscard]] Index least() const override;
  [[nodiscard]] bool is_indivisible() const override { return true; }
  const Matrix& ask(Index count, const Tally& tally, Matrix& room) override;
  void replace(const Matrix& points, std::span<const Index> changed) override;
  [[nodiscard]] Consequence learn(const GenerationValues& told, const Tally& tally) override;

 private:
  void replace(Index i, const Vector& user);

  Run& run_;
  const Matrix* population_ = nullptr;  // as the strategy gave it, search coordinates
  Matrix replaced_;                     // the same with the points of the caller
};

}  // namespace surefoot
