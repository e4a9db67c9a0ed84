#include "search/stages/regression_stage.hpp"

namespace surefoot {

const Matrix& RegressionStage::ask(Index count, const Tally& /*tally*/, Matrix& room) {
  CounterNormals normals(*setup_.options.seed);
  points_ = noise_->search().points(normals).leftCols(count);
  return setup_.domain->to_user(points_, room);
}

Consequence RegressionStage::learn(const GenerationValues& told, const Tally& tally) {
  Vector values = told.values;
  const Index last = values.size() - 1;
  const bool is_pair = std::none_of(told.changed.begin(), told.changed.end(), [&](Index i) { return i >= last - 1; });
  if (!is_pair) values[last] = Tally::nan;
  noise_->learn_round(values, tally);
  return {};
}

}  // namespace surefoot
