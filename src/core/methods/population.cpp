#include "core/methods/population.hpp"

#include <algorithm>
#include <cmath>

#include "core/linear_algebra/dense_solvers.hpp"
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

/// The same, and mixed += w_along z.
template <class Real>
SUREFOOT_INLINE void add_along(double w, double w_along, const double* x, const double* m, const double* inverse,
                               Index n, double* first, double* second, double* mixed) {
  constexpr Index step = lanes<Real>;
  Index k = 0;
  for (; k + step <= n; k += step) {
    const Real z = (load<Real>(x + k) - load<Real>(m + k)) * load<Real>(inverse + k);
    const Real wz = w * z;
    store(first + k, load<Real>(first + k) + wz);
    store(second + k, load<Real>(second + k) + wz * z);
    store(mixed + k, load<Real>(mixed + k) + w_along * z);
  }
  for (; k < n; ++k) {
    const double z = (x[k] - m[k]) * inverse[k];
    first[k] += w * z;
    second[k] += (w * z) * z;
    mixed[k] += w_along * z;
  }
}

/// The normals of a population, drawn block by block where their source can do so.
class BlockwiseNormals {
 public:
  BlockwiseNormals(NormalSource& normals, std::uint64_t generation, Matrix& z)
      : normals_(normals), generation_(generation), z_(z), has_rows_(normals.has_rows()) {
    if (!has_rows_) normals.fill(generation, z);
  }

  /// After it the block's rows of z are there.
  void draw(const Block& block) const {
    if (has_rows_) normals_.fill_rows(generation_, block.begin, z_.middleRows(block.begin, block.size));
  }

 private:
  NormalSource& normals_;
  std::uint64_t generation_;
  Matrix& z_;
  bool has_rows_;
};

}  // namespace

Population<FullShape>::Population(Index dimension, Index popsize)
    : z(dimension, popsize), y(dimension, popsize), x(dimension, popsize) {}

void Population<FullShape>::sample(const Normal<FullShape>& normal, std::uint64_t generation, NormalSource& normals,
                                   double scale, Executor* executor) {
  normals.fill(generation, z);
  normal.shape.multiply(z, y, executor);
  place(normal, scale);
}

void Population<FullShape>::place(const Normal<FullShape>& normal, double scale) {
  for_all_columns(x.rows(), size(),
                  [x = x.data(), y = y.data(), m = normal.mean.data(), d = x.rows(), sigma = scale * normal.sigma](
                      auto real, Index k, Index i) SUREFOOT_KERNEL {
                    using Real = typename decltype(real)::type;
                    store(x + i * d + k, load<Real>(m + k) + sigma * load<Real>(y + i * d + k));
                  });
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
                                       NormalSource& normals, double scale, const Blocks& blocks) {
  const BlockwiseNormals z(normals, generation, x);
  blocks.each([&](const Block& block) {
    z.draw(block);
    const BlockArray m = block.of(normal.mean);
    const auto s = block.of(normal.shape.s);
    for (Index i = 0; i < size(); ++i) {
      auto column = x.col(i);
      block.of(column) = m + (scale * normal.sigma) * (s * block.of(column));
    }
  });
}

void Population<DiagonalShape>::replace(const Told& told, const Normal<DiagonalShape>& /*normal*/, double /*scale*/) {
  for (const Index i : told.changed) x.col(i) = told.points.col(i);
}

Population<DiagonalShape>::Sums Population<DiagonalShape>::sums(const Vector& w, const Normal<DiagonalShape>& normal,
                                                                const Block& block) const {
  const BlockArray m = block.of(normal.mean);
  const BlockArray inverse = (normal.sigma * block.of(normal.shape.s)).inverse();
  Sums sums{BlockArray::Zero(block.size), BlockArray::Zero(block.size)};
  with_widest_packs([&](auto packs) SUREFOOT_KERNEL {
    using Real = typename decltype(packs)::Real;
    for (Index i = 0; i < size(); ++i) {
      if (w[i] == 0) continue;
      add<Real>(w[i], x.data() + i * x.rows() + block.begin, m.data(), inverse.data(), block.size, sums.first.data(),
                sums.second.data());
    }
  });
  return sums;
}

void Population<DiagonalShape>::sums(const Vector& w, const Normal<DiagonalShape>& normal, const Blocks& blocks,
                                     Vector& first, Vector& second) const {
  blocks.each([&](const Block& block) {
    const Sums of_block = sums(w, normal, block);
    block.of(first) = of_block.first;
    block.of(second) = of_block.second;
  });
}

/// y = z + (sqrt(1 + |v|^2) - 1) v (v^T z)/|v|^2, of which the part along v is sqrt(1 + |v|^2) (v^T z)/|v|.
void Population<VectorShape>::sample(const Normal<VectorShape>& normal, std::uint64_t generation, NormalSource& normals,
                                     double scale, Blocks& blocks) {
  const Vector& D = normal.shape.D;
  const Vector& v = normal.shape.v;
  const double n = v.squaredNorm();
  const BlockwiseNormals z(normals, generation, x);
  const auto sums = blocks.sums(2 * size(), [&](const Block& block, auto part) {
    z.draw(block);
    const auto rows = x.middleRows(block.begin, block.size);
    part.head(size()) = rows.colwise().squaredNorm().transpose().array();
    part.tail(size()).matrix().noalias() = rows.transpose() * v.segment(block.begin, block.size);
  });
  squares = sums.head(size());
  along = sums.tail(size());
  const Vector shares = normal.shape.share_of_root() * along;
  along *= std::sqrt((1 + n) / n);
  blocks.each([&](const Block& block) {
    const BlockArray m = block.of(normal.mean);
    const BlockArray s = scale * normal.sigma * block.of(D);
    const BlockArray u = block.of(v);
    for (Index i = 0; i < size(); ++i) {
      auto column = x.col(i);
      block.of(column) = m + s * (block.of(column) + shares[i] * u);
    }
  });
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

void Population<VectorShape>::sums(const Vector& w, const Normal<VectorShape>& normal, const Blocks& blocks,
                                   Vector& first, Vector& second, Vector& mixed) const {
  blocks.each([&](const Block& block) {
    const BlockArray m = block.of(normal.mean);
    const BlockArray inverse = (normal.sigma * block.of(normal.shape.D)).inverse();
    BlockArray sum = BlockArray::Zero(block.size);
    BlockArray sum_of_squares = sum;
    BlockArray sum_along = sum;
    with_widest_packs([&](auto packs) SUREFOOT_KERNEL {
      using Real = typename decltype(packs)::Real;
      for (Index i = 0; i < size(); ++i) {
        add_along<Real>(w[i], w[i] * along[i], x.data() + i * x.rows() + block.begin, m.data(), inverse.data(),
                        block.size, sum.data(), sum_of_squares.data(), sum_along.data());
      }
    });
    block.of(first) = sum;
    block.of(second) = sum_of_squares;
    block.of(mixed) = sum_along;
  });
}

void Population<LowRankShape>::sample(const Normal<LowRankShape>& normal, std::uint64_t generation,
                                      NormalSource& normals, double scale, Blocks& blocks) {
  const BlockwiseNormals z(normals, generation, x);
  blocks.each([&](const Block& block) { z.draw(block); });
  normal.shape.multiply(blocks, x);
  blocks.each([&](const Block& block) {
    const BlockArray m = block.of(normal.mean);
    for (Index i = 0; i < size(); ++i) {
      auto column = x.col(i);
      block.of(column) = m + (scale * normal.sigma) * block.of(column);
    }
  });
}

void Population<LowRankShape>::replace(const Told& told, const Normal<LowRankShape>& /*normal*/, double /*scale*/) {
  for (const Index i : told.changed) x.col(i) = told.points.col(i);
}

}  // namespace surefoot
