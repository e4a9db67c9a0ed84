#pragma once

#include <memory>

#include "search/noise/noise_watch.hpp"

namespace surefoot {

/// Rounds of the search by regression, which begins where noise does harm and lasts until the end.
class RegressionStage final : public Stage {
 public:
  /// The setup must outlive it.
  RegressionStage(const Setup& setup, std::shared_ptr<NoiseWatch> noise) : setup_(setup), noise_(std::move(noise)) {}

  [[nodiscard]] std::string_view name() const override { return "regression"; }
  [[nodiscard]] Counting counting() const override { return {}; }
  [[nodiscard]] bool is_due(const Tally& /*tally*/) const override { return noise_->is_searching(); }
  [[nodiscard]] Index size() const override { return noise_->is_searching() ? noise_->search().size() : 0; }
  [[nodiscard]] bool is_indivisible() const override { return true; }
  const Matrix& ask(Index count, const Tally& tally, Matrix& room) override;
  [[nodiscard]] Consequence learn(const GenerationValues& told, const Tally& tally) override;

 private:
  const Setup& setup_;
  std::shared_ptr<NoiseWatch> noise_;
  Matrix points_;  // search coordinates
};

}  // namespace surefoot
