#include "search/stages/closing_stage.hpp"

#include "driver/draws.hpp"
#include "search/run.hpp"

namespace surefoot {

Index ClosingStage::size() const { return run_.strategy().popsize(); }

const Matrix& ClosingStage::ask(Index count, const Tally& tally, Matrix& room) {
  const Domain& domain = run_.domain();
  const Matrix& samples = run_.sample(closing_draw + static_cast<std::uint64_t>(tally.nit));
  const Index means = tally.run_nit > tally.closed_at ? 1 : 0;
  Matrix all = domain.to_user(samples, room);
  domain.put_choices(run_.choices(), all);
  room.resize(domain.user_dimension(), count);
  if (means > 0) room.col(0) = run_.user_mean();
  room.rightCols(count - means) = all.leftCols(count - means);
  return room;
}

}  // namespace surefoot
