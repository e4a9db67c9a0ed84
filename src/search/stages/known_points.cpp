#include "search/stages/known_points.hpp"

namespace surefoot {

const Matrix& KnownPoints::ask(Index count, const Tally& /*tally*/, Matrix& room) {
  room.resize(setup_.domain->user_dimension(), count);
  for (Index i = 0; i < count; ++i) room.col(i) = setup_.known_point(i);
  return room;
}

Consequence KnownPoints::learn(const GenerationValues& /*told*/, const Tally& tally) {
  Consequence consequence{.is_for_model = true};
  const bool is_elsewhere = is_finite(tally.best_f) && tally.best_x != setup_.domain->user_start();
  if (is_elsewhere) consequence.begins_at = setup_.domain->to_search(tally.best_x);
  return consequence;
}

}  // namespace surefoot
