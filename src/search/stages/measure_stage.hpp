#pragma once

#include <memory>

#include "search/noise/noise_watch.hpp"

namespace surefoot {

/// Evaluates the point that is returned several times: under noise a single value, chosen because it is the lowest, is
/// too low.
class MeasureStage final : public Stage {
 public:
  explicit MeasureStage(std::shared_ptr<NoiseWatch> noise) : noise_(std::move(noise)) {}

  [[nodiscard]] std::string_view name() const override { return "measurement"; }
  [[nodiscard]] Counting counting() const override { return {.has_mean = true}; }
  [[nodiscard]] bool is_due(const Tally& tally) const override { return noise_->is_measure_due(tally); }
  [[nodiscard]] bool takes_rest() const override { return noise_->has_found(); }
  [[nodiscard]] Index size() const override;
  const Matrix& ask(Index count, const Tally& tally, Matrix& room) override;
  void replace(const Matrix& points, std::span<const Index> changed) override;
  /// Here and not in `learn`: the last measurement comes with the end of the search.
  bool take(const Vector& values, const std::vector<Failure>& failures) override;
  [[nodiscard]] Consequence learn(const GenerationValues& told, const Tally& tally) override;

 private:
  std::shared_ptr<NoiseWatch> noise_;
  Vector x_;
  std::vector<Index> changed_;
};

}  // namespace surefoot
