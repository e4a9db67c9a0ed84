#include "core/methods/population.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace surefoot {

Population<FullShape>::Population(Index dimension, Index popsize)
    : z(dimension, popsize), y(dimension, popsize), x(dimension, popsize) {}

void Population<FullShape>::sample(const Normal<FullShape>& normal, std::uint64_t generation, NormalSource& normals,
                                   double scale) {
  normals.fill(generation, z);
  normal.shape.multiply(z, y);
  for (Index i = 0; i < size(); ++i) x.col(i) = normal.mean + (scale * normal.sigma) * y.col(i);
}

void Population<FullShape>::replace(const Told& told, const Normal<FullShape>& normal, double scale) {
  if (told.changed.empty()) return;
  const Eigen::PartialPivLU<Matrix> lu(normal.shape.B);
  for (const Index i : told.changed) {
    x.col(i) = told.points.col(i);
    y.col(i) = (x.col(i) - normal.mean) / (scale * normal.sigma);
    z.col(i) = lu.solve(y.col(i));
  }
}

void Population<DiagonalShape>::sample(const Normal<DiagonalShape>& normal, std::uint64_t generation,
                                       NormalSource& normals, double scale) {
  normals.fill(generation, x);
  for (Index begin = 0; begin < x.rows(); begin += block) {
    const Index n = std::min(block, x.rows() - begin);
    const auto s = normal.shape.s.segment(begin, n);
    const auto m = normal.mean.segment(begin, n);
    for (Index i = 0; i < size(); ++i) {
      auto column = x.col(i).segment(begin, n);
      column = m + (scale * normal.sigma) * s.cwiseProduct(column);
    }
  }
}

void Population<DiagonalShape>::replace(const Told& told, const Normal<DiagonalShape>& /*normal*/, double /*scale*/) {
  for (const Index i : told.changed) x.col(i) = told.points.col(i);
}

void Population<LowRankShape>::sample(const Normal<LowRankShape>& normal, std::uint64_t generation,
                                      NormalSource& normals, double scale) {
  normals.fill(generation, x);
  normal.shape.multiply(x, x);
  for (Index i = 0; i < size(); ++i) x.col(i) = normal.mean + (scale * normal.sigma) * x.col(i);
}

void Population<LowRankShape>::replace(const Told& told, const Normal<LowRankShape>& /*normal*/, double /*scale*/) {
  for (const Index i : told.changed) x.col(i) = told.points.col(i);
}

Population<DiagonalShape>::Sums Population<DiagonalShape>::sums(const Vector& w, const Normal<DiagonalShape>& normal,
                                                                Index begin) const {
  const Index n = std::min(block, x.rows() - begin);
  const Block m = normal.mean.segment(begin, n);
  const Block inverse = (normal.sigma * normal.shape.s.segment(begin, n).array()).inverse();
  Sums sums{begin, Block::Zero(n), Block::Zero(n)};
  for (Index i = 0; i < size(); ++i) {
    if (w[i] == 0) continue;
    const Block z = (x.col(i).segment(begin, n).array() - m) * inverse;
    sums.first += w[i] * z;
    sums.second += (w[i] * z) * z;
  }
  return sums;
}

void Population<DiagonalShape>::sums(const Vector& w, const Normal<DiagonalShape>& normal, Vector& first,
                                     Vector& second) const {
  for (Index begin = 0; begin < x.rows(); begin += block) {
    const Sums some = sums(w, normal, begin);
    first.segment(begin, some.first.size()) = some.first;
    second.segment(begin, some.second.size()) = some.second;
  }
}

}  // namespace surefoot
