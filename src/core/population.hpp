#pragma once

#include <cstdint>

#include "surefoot/normal_source.hpp"
#include "surefoot/search_distribution.hpp"

namespace surefoot {

/// The population of a generation in three coordinates, each d x popsize in sampling order, without allocation.
struct Population {
  Population(Index dimension, Index popsize);

  [[nodiscard]] Index size() const { return z.cols(); }

  /// `scale` is a factor of sigma.
  void sample(const SearchDistribution& distribution, std::uint64_t generation, NormalSource& normals,
              double scale = 1);

  /// Takes over the candidates that the caller has changed since they were sampled from this distribution.
  void replace(const Matrix& candidates, const SearchDistribution& distribution, double scale = 1);

  Matrix z;  // z_i ~ N(0, I)
  Matrix y;  // B z_i
  Matrix x;  // m + sigma y_i
};

}  // namespace surefoot
