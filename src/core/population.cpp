#include "core/population.hpp"

#include <Eigen/LU>

#include "core/products.hpp"

namespace surefoot {

Population::Population(Index dimension, Index popsize)
    : z(dimension, popsize), y(dimension, popsize), x(dimension, popsize) {}

void Population::sample(const SearchDistribution& distribution, std::uint64_t generation, NormalSource& normals,
                        double scale) {
  const auto& [m, sigma, B] = distribution;
  normals.fill(generation, z);
  multiply(B, z, y);
  for (Index i = 0; i < size(); ++i) x.col(i) = m + (scale * sigma) * y.col(i);
}

void Population::replace(const Matrix& candidates, const SearchDistribution& distribution, double scale) {
  if (&candidates == &x || candidates == x) return;
  const Eigen::PartialPivLU<Matrix> lu(distribution.B);
  for (Index i = 0; i < size(); ++i) {
    if (candidates.col(i) == x.col(i)) continue;
    x.col(i) = candidates.col(i);
    y.col(i) = (candidates.col(i) - distribution.mean) / (scale * distribution.sigma);
    z.col(i) = lu.solve(y.col(i));
  }
}

}  // namespace surefoot
