#include "core/methods/population.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/linear_algebra/pack.hpp"

namespace surefoot {
namespace {

/// first += w z and second += w z z, z = (x - m) inverse.
template <class Real>
SUREFOOT_INLINE void add(double w, const double* x, const double* m, const double* inverse, Index n, double* first,
                         double* second) {
  constexpr Index step = lanes<Real>;
  Index k = 0;
  for (; k + step <= n; k += step) {
    const Real z = (load<Real>(x + k) - load<Real>(m + k)) * load<Real>(inverse + k);
    const Real wz = w * z;
    store(first + k, load<Real>(first + k) + wz);
    store(second + k, load<Real>(second + k) + wz * z);
  }
  for (; k < n; ++k) {
    const double z = (x[k] - m[k]) * inverse[k];
    first[k] += w * z;
    second[k] += (w * z) * z;
  }
}

}  // namespace

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
  with_widest_packs([&](auto packs) SUREFOOT_KERNEL {
    using Real = typename decltype(packs)::Real;
    for (Index i = 0; i < size(); ++i) {
      if (w[i] == 0) continue;
      add<Real>(w[i], x.data() + i * x.rows() + begin, m.data(), inverse.data(), n, sums.first.data(),
                sums.second.data());
    }
  });
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

/// y = z + (sqrt(1 + |v|^2) - 1) v (v^T z)/|v|^2, of which the part along v is sqrt(1 + |v|^2) (v^T z)/|v|.
void Population<VectorShape>::sample(const Normal<VectorShape>& normal, std::uint64_t generation, NormalSource& normals,
                                     double scale) {
  const auto& [D, v] = normal.shape;
  const double n = v.squaredNorm();
  normals.fill(generation, x);
  squares = x.colwise().squaredNorm().transpose();
  along.noalias() = x.transpose() * v;
  const Vector shares = normal.shape.share_of_root() * along;
  along *= std::sqrt((1 + n) / n);
  for (Index begin = 0; begin < x.rows(); begin += coordinate_block) {
    const Index rows = std::min(coordinate_block, x.rows() - begin);
    const CoordinateBlock m = normal.mean.segment(begin, rows);
    const CoordinateBlock s = scale * normal.sigma * D.segment(begin, rows);
    const CoordinateBlock u = v.segment(begin, rows);
    for (Index i = 0; i < size(); ++i) {
      auto column = x.col(i).segment(begin, rows).array();
      column = m + s * (column + shares[i] * u);
    }
  }
}

void Population<VectorShape>::replace(const Told& told, const Normal<VectorShape>& normal, double scale) {
  const auto& [D, v] = normal.shape;
  for (const Index i : told.changed) {
    x.col(i) = told.points.col(i);
    const Vector y = (x.col(i) - normal.mean).cwiseQuotient(scale * normal.sigma * D);
    const double dot = v.dot(y);
    along[i] = dot / v.norm();
    squares[i] = y.squaredNorm() - dot * dot / (1 + v.squaredNorm());
  }
}

void Population<VectorShape>::sums(const Vector& w, const Normal<VectorShape>& normal, Vector& first, Vector& second,
                                   Vector& mixed) const {
  for (Index begin = 0; begin < x.rows(); begin += coordinate_block) {
    const Index rows = std::min(coordinate_block, x.rows() - begin);
    const CoordinateBlock m = normal.mean.segment(begin, rows);
    const CoordinateBlock inverse = (normal.sigma * normal.shape.D.segment(begin, rows).array()).inverse();
    CoordinateBlock sum = CoordinateBlock::Zero(rows);
    CoordinateBlock sum_of_squares = sum;
    CoordinateBlock sum_along = sum;
    for (Index i = 0; i < size(); ++i) {
      const CoordinateBlock y = (x.col(i).segment(begin, rows).array() - m) * inverse;
      sum += w[i] * y;
      sum_of_squares += (w[i] * y) * y;
      sum_along += (w[i] * along[i]) * y;
    }
    first.segment(begin, rows) = sum;
    second.segment(begin, rows) = sum_of_squares;
    mixed.segment(begin, rows) = sum_along;
  }
}

}  // namespace surefoot
