#pragma once

#include <optional>

#include "driver/model/rounds.hpp"
#include "search/stages/run_stage.hpp"

namespace surefoot {

/// Populations of a run with a model. Each is evaluated in rounds until the model can rank the rest.
class RoundsStage final : public RunStage {
 public:
  /// The run must outlive it.
  RoundsStage(Run& run, const SurrogateRules& rules);

  [[nodiscard]] std::string_view name() const override { return "rounds"; }
  [[nodiscard]] Index size() const override { return rounds_.size(); }
  [[nodiscard]] Index least() const override { return 1; }
  const Matrix& ask(Index count, const Tally& tally, Matrix& room) override;
  void replace(const Matrix& points, std::span<const Index> changed) override;
  [[nodiscard]] Consequence learn(const GenerationValues& told, const Tally& tally) override;

  [[nodiscard]] bool is_in_parts() const override { return true; }
  [[nodiscard]] bool has_begun() const override { return rounds_.has_begun(); }
  bool take(const Vector& values, const std::vector<Failure>& failures) override;
  void keep() override;
  void take_back() override;
  void drop() override { kept_.reset(); }

  [[nodiscard]] bool is_within_generation() const override { return rounds_.is_within(); }
  void resume(const Tally& tally) override;
  [[nodiscard]] bool has_model() const override { return true; }
  [[nodiscard]] bool is_model_accepted() const override { return rounds_.surrogate().is_accepted(); }
  void remember(const Vector& x, double f) override { rounds_.remember(x, f); }
  [[nodiscard]] double overdraft() const override { return rounds_.surrogate().overdraft(); }
  void report(Measures& measures, bool is_present, Index size) const override;

  [[nodiscard]] Index number_of(Index candidate) const override;
  [[nodiscard]] bool has_value(Index number) const override;
  [[nodiscard]] std::vector<Failure> failures(const Generation& present) const override;

  void visit(StateVisitor& visitor) override;

 private:
  [[nodiscard]] Stop test(const Tally& tally);
  [[nodiscard]] Stop met_promise() const;
  [[nodiscard]] Stop met_resolution() const;

  Run& run_;
  Rounds rounds_;
  std::optional<Rounds> kept_;  // before the last round
  Matrix points_;               // of the present round, search coordinates
};

}  // namespace surefoot
