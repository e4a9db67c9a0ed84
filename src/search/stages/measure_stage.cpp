#include "search/stages/measure_stage.hpp"

#include <algorithm>

namespace surefoot {

/// As many as were planned, or all that the budget has left.
Index MeasureStage::size() const {
  constexpr Index most = 10000;
  return noise_->planned_measure() > 0 ? static_cast<Index>(noise_->planned_measure()) : most;
}

const Matrix& MeasureStage::ask(Index count, const Tally& tally, Matrix& room) {
  x_ = noise_->candidate(tally);
  changed_.clear();
  room = x_.replicate(1, count);
  return room;
}

void MeasureStage::replace(const Matrix& /*points*/, std::span<const Index> changed) {
  changed_.assign(changed.begin(), changed.end());
}

bool MeasureStage::take(const Vector& values, const std::vector<Failure>& /*failures*/) {
  Vector of_x = values;
  for (const Index i : changed_) of_x[i] = Tally::nan;
  noise_->measure(x_, of_x);
  return true;
}

Consequence MeasureStage::learn(const GenerationValues& /*told*/, const Tally& tally) {
  return {.search_over = noise_->end_by_measure(tally)};
}

}  // namespace surefoot
