#pragma once

#include <optional>

#include "driver/model/separable_search.hpp"
#include "driver/setup.hpp"
#include "search/stage.hpp"

namespace surefoot {

/// The search along coordinates that a search with restarts and a model makes once, in its first run, from the best
/// point so far.
class LineStage final : public Stage {
 public:
  /// The setup must outlive it.
  explicit LineStage(const Setup& setup) : setup_(setup) {}

  [[nodiscard]] std::string_view name() const override { return "lines"; }
  [[nodiscard]] Counting counting() const override { return {}; }
  [[nodiscard]] bool is_due(const Tally& /*tally*/) const override { return search_.has_value(); }
  void look(const Run& run, const Tally& tally) override;
  [[nodiscard]] Index size() const override { return search_ ? search_->ask().cols() : 0; }
  const Matrix& ask(Index count, const Tally& tally, Matrix& room) override;
  [[nodiscard]] Consequence learn(const GenerationValues& told, const Tally& tally) override;
  void visit(StateVisitor& visitor) override;

 private:
  [[nodiscard]] bool may_begin(const Tally& tally, bool is_model_accepted) const;
  void make();

  const Setup& setup_;
  std::int64_t has_begun_ = 0;
  Vector x_;  // where it began, search coordinates
  double f_ = 0;
  std::optional<SeparableSearch> search_;
  Matrix points_;  // of the present generation, search coordinates
};

}  // namespace surefoot
