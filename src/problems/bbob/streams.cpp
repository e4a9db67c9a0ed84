#include "problems/bbob/streams.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>

#include "problems/bbob/transformations.hpp"

namespace surefoot::bbob {
namespace {

constexpr double nearly_zero = 1e-99;  // stands for an exact zero

/// The minimal standard generator of Park and Miller.
class MinimalStandard {
 public:
  explicit MinimalStandard(Seed seed) : state_(std::max<Seed>(1, std::abs(seed))) {}

  Seed next() { return state_ = 16807 * state_ % modulus; }

  static constexpr Seed modulus = 2147483647;

 private:
  Seed state_;
};

}  // namespace

std::vector<double> uniforms(Index n, Seed seed) {
  constexpr int warm_up = 40;
  MinimalStandard generator(seed);
  std::array<Seed, 32> table{};
  for (int i = warm_up - 1; i >= 0; --i) {
    const Seed number = generator.next();
    if (i < static_cast<int>(table.size())) table[static_cast<std::size_t>(i)] = number;
  }
  std::vector<double> u(static_cast<std::size_t>(n));
  Seed drawn = table[0];
  for (double& value : u) {
    const Seed fresh = generator.next();
    Seed& slot = table[static_cast<std::size_t>(drawn / (MinimalStandard::modulus / 32 + 2))];
    drawn = slot;
    slot = fresh;
    value = static_cast<double>(drawn) / static_cast<double>(MinimalStandard::modulus);
    if (value == 0) value = nearly_zero;
  }
  return u;
}

std::vector<double> gaussians(Index n, Seed seed) {
  const std::vector<double> u = uniforms(2 * n, seed);
  std::vector<double> g(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < g.size(); ++k) {
    g[k] = std::sqrt(-2 * std::log(u[k])) * std::cos(2 * std::numbers::pi * u[g.size() + k]);
    if (g[k] == 0) g[k] = nearly_zero;
  }
  return g;
}

Matrix rotation(Index d, Seed seed) {
  const std::vector<double> g = gaussians(d * d, seed);
  Matrix B = Eigen::Map<const Matrix>(g.data(), d, d);
  // Sums in ascending order, which Eigen's products do not promise.
  const auto dot = [&B, d](Index a, Index b) {
    double sum = 0;
    for (Index k = 0; k < d; ++k) sum += B(k, a) * B(k, b);
    return sum;
  };
  for (Index c = 0; c < d; ++c) {
    for (Index p = 0; p < c; ++p) {
      const double projection = dot(c, p);
      for (Index k = 0; k < d; ++k) B(k, c) -= projection * B(k, p);
    }
    B.col(c) /= std::sqrt(dot(c, c));
  }
  return B;
}

Vector optimum_on_grid(Index d, Seed seed) {
  const std::vector<double> u = uniforms(d, seed);
  Vector x(d);
  for (Index i = 0; i < d; ++i) {
    x[i] = 8 * std::floor(10000 * u[static_cast<std::size_t>(i)]) / 10000 - 4;
    if (x[i] == 0) x[i] = -1e-5;
  }
  return x;
}

double optimal_value(Seed seed) {
  const double ratio = 10000 * gaussians(1, seed)[0] / gaussians(1, seed + 1)[0];
  return std::clamp(rounded(ratio) / 100, -1000.0, 1000.0);
}

std::vector<Index> permutation(Index n, Seed seed) {
  const std::vector<double> u = uniforms(n, seed);
  std::vector<Index> order(u.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&u](Index a, Index b) { return u[static_cast<std::size_t>(a)] < u[static_cast<std::size_t>(b)]; });
  return order;
}

}  // namespace surefoot::bbob
