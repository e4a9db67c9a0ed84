#pragma once

#include "core/inverse.hpp"
#include "surefoot/stop.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot {

/// Whether the distribution can be sampled at all: finite, sigma > 0. Cheap, for every generation.
StopReason cheap_degeneracy(const Strategy& strategy);

/// Whether sampling still searches: standard deviations neither vanished nor exploded, rank not lost. O(d^3) without
/// allocation, for now and then.
class DegeneracyTest {
 public:
  explicit DegeneracyTest(Index dimension);

  StopReason operator()(const SearchDistribution& distribution);

 private:
  /// Reciprocal condition of B in the Frobenius norm.
  double rcond(const Matrix& B);

  Inverse inverse_;
  Matrix inverse_transposed_;
  Vector deviations_;
};

}  // namespace surefoot
