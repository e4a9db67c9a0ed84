#pragma once

#include <vector>

#include "core/methods/importance_mixing.hpp"
#include "search/stages/run_stage.hpp"

namespace surefoot {

/// Populations of which some points stay with their values: only the new ones are handed out and counted.
class MixingStage final : public RunStage {
 public:
  /// The run must outlive it.
  MixingStage(Run& run, double least_new);

  [[nodiscard]] std::string_view name() const override { return "mixing"; }
  [[nodiscard]] Index size() const override { return least(); }
  [[nodiscard]] Index least() const override;
  [[nodiscard]] bool is_indivisible() const override { return true; }
  const Matrix& ask(Index count, const Tally& tally, Matrix& room) override;
  [[nodiscard]] double best_kept() const override;
  void replace(const Matrix& points, std::span<const Index> changed) override;
  [[nodiscard]] Consequence learn(const GenerationValues& told, const Tally& tally) override;
  void visit(StateVisitor& visitor) override;

 private:
  [[nodiscard]] ImportanceMixing::Points population(const Vector& values) const;
  void decide(const ImportanceMixing::Points& population, const Start& before, std::span<const Index> changed,
              std::uint64_t generation);

  Run& run_;
  ImportanceMixing mixing_;
  Matrix fresh_;  // what is evaluated, search coordinates
};

}  // namespace surefoot
