#include "search/stages/repeat_stage.hpp"

namespace surefoot {

const Matrix& RepeatStage::ask(Index count, const Tally& /*tally*/, Matrix& room) {
  room = noise_->repeats().leftCols(count);
  return room;
}

/// A caller who evaluates another point repeats nothing.
Consequence RepeatStage::learn(const GenerationValues& told, const Tally& tally) {
  Vector values = told.values;
  for (const Index i : told.changed) values[i] = Tally::nan;
  noise_->learn_repeats(values, tally);
  return {};
}

std::optional<NoiseFound> RepeatStage::noise() const {
  if (!noise_->has_found()) return std::nullopt;
  return noise_->findings();
}

}  // namespace surefoot
