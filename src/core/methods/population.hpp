#pragma once

#include <cstdint>
#include <span>

#include "core/blocks.hpp"
#include "core/shapes/normal.hpp"
#include "surefoot/normal_source.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot {

/// Numbers of a block's coordinates, without allocation.
using BlockArray = Eigen::Array<double, Eigen::Dynamic, 1, Eigen::ColMajor, Blocks::size, 1>;

/// The candidates of a generation, one per column in sampling order, sampled without allocation. `scale` is a factor of
/// sigma. `blocks` are those of the coordinates.
template <class Shape>
struct Population;

/// In three coordinates, each d x popsize.
template <>
struct Population<FullShape> {
  Population(Index dimension, Index popsize);

  [[nodiscard]] Index size() const { return x.cols(); }

  void sample(const Normal<FullShape>& normal, std::uint64_t generation, NormalSource& normals, double scale = 1,
              Executor* executor = nullptr);
  void sample(const Normal<FullShape>& normal, std::uint64_t generation, NormalSource& normals, double scale,
              const Blocks& blocks) {
    sample(normal, generation, normals, scale, blocks.executor());
  }

  /// x, once y is there.
  void place(const Normal<FullShape>& normal, double scale);

  /// Takes over the candidates that the caller has changed since they were sampled.
  void replace(const Told& told, const Normal<FullShape>& normal, double scale = 1);

  Matrix z;  // z_i ~ N(0, I)
  Matrix y;  // A z_i
  Matrix x;  // m + sigma y_i
};

/// Stored once, as x: the samples z = (x - m)/(sigma s) are derived where they are needed.
template <>
struct Population<DiagonalShape> {
  Population(Index dimension, Index popsize) : x(dimension, popsize) {}

  [[nodiscard]] Index size() const { return x.cols(); }

  void sample(const Normal<DiagonalShape>& normal, std::uint64_t generation, NormalSource& normals, double scale,
              const Blocks& blocks);
  void replace(const Told& told, const Normal<DiagonalShape>& normal, double scale = 1);

  /// sum_i w_i z_i and sum_i w_i z_i z_i of a block. The latter is a gradient where the weights sum to zero; from
  /// positive ones their sum is to be taken away. The normal must be as it was sampled from in its coordinates.
  struct Sums {
    BlockArray first, second;
  };
  [[nodiscard]] Sums sums(const Vector& w, const Normal<DiagonalShape>& normal, const Block& block) const;

  /// The sums of all coordinates.
  void sums(const Vector& w, const Normal<DiagonalShape>& normal, const Blocks& blocks, Vector& first,
            Vector& second) const;

  Matrix x;
};

/// Stored once, as x. What y = (x - m)/(sigma D) has along the direction v/|v| and the length of z are kept: they take
/// a pass each, and sampling computes them anyway.
template <>
struct Population<VectorShape> {
  Population(Index dimension, Index popsize) : x(dimension, popsize), along(popsize), squares(popsize) {}

  [[nodiscard]] Index size() const { return x.cols(); }

  void sample(const Normal<VectorShape>& normal, std::uint64_t generation, NormalSource& normals, double scale,
              Blocks& blocks);
  void replace(const Told& told, const Normal<VectorShape>& normal, double scale = 1);

  /// sum_i w_i y_i, sum_i w_i y_i y_i and sum_i w_i along_i y_i.
  void sums(const Vector& w, const Normal<VectorShape>& normal, const Blocks& blocks, Vector& first, Vector& second,
            Vector& mixed) const;

  Matrix x;
  Vector along;    // v^T y_i/|v|
  Vector squares;  // |z_i|^2
};

/// Stored once, as x.
template <>
struct Population<LowRankShape> {
  Population(Index dimension, Index popsize) : x(dimension, popsize) {}

  [[nodiscard]] Index size() const { return x.cols(); }

  void sample(const Normal<LowRankShape>& normal, std::uint64_t generation, NormalSource& normals, double scale,
              Blocks& blocks);
  void replace(const Told& told, const Normal<LowRankShape>& normal, double scale = 1);

  Matrix x;
};

}  // namespace surefoot
