#include "core/methods/xnes/shape_update.hpp"

#include "core/methods/xnes/dense_update.hpp"
#include "core/methods/xnes/low_rank_update.hpp"

namespace surefoot {
namespace {

// The small matrices of the low-rank route have popsize rows, and more of them are multiplied: measured from d = 6 to
// 150 it takes half the time of the dense route at popsize = d/2, the same at 3/4 d, and twice as much beyond d.
bool low_rank_is_faster(Index dimension, Index popsize) { return 4 * popsize <= 3 * dimension; }

}  // namespace

std::unique_ptr<ShapeUpdate> make_shape_update(ShapeRoute route, Index dimension, Index popsize, Executor* executor) {
  const bool low_rank =
      route == ShapeRoute::automatic ? low_rank_is_faster(dimension, popsize) : route == ShapeRoute::low_rank;
  if (low_rank) return std::make_unique<LowRankUpdate>(dimension, popsize, executor);
  return std::make_unique<DenseUpdate>(dimension);
}

}  // namespace surefoot
