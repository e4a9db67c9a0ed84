#pragma once

#include "driver/setup.hpp"
#include "search/stage.hpp"

namespace surefoot {

/// x0 and the injected points, before the first population. The first run begins at the best of them.
class KnownPoints final : public Stage {
 public:
  /// The setup must outlive it.
  explicit KnownPoints(const Setup& setup) : setup_(setup) {}

  [[nodiscard]] std::string_view name() const override { return "known points"; }
  [[nodiscard]] Counting counting() const override { return {.is_generation = false}; }
  [[nodiscard]] Index size() const override { return setup_.known_count(); }
  [[nodiscard]] bool is_due(const Tally& tally) const override { return !tally.is_begun; }
  const Matrix& ask(Index count, const Tally& tally, Matrix& room) override;
  [[nodiscard]] Consequence learn(const GenerationValues& told, const Tally& tally) override;

 private:
  const Setup& setup_;
};

}  // namespace surefoot
