#include "driver/model/separability_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "driver/draws.hpp"
#include "surefoot/normal_source.hpp"

namespace surefoot {
namespace {

constexpr int rounds_needed = 3;
constexpr std::uint32_t stream = 0x5e9a;  // of normals, used for nothing else

/// +-U(0.2, 0.8) from one uniform number.
double signed_step(double u) { return std::copysign(0.2 + 0.6 * std::abs(2 * u - 1), u - 0.5); }

}  // namespace

SearchBox SearchBox::unbounded(Index dimension) {
  const double infinity = std::numeric_limits<double>::infinity();
  return {Vector::Constant(dimension, -infinity), Vector::Constant(dimension, infinity)};
}

SeparabilityTest::SeparabilityTest(Vector x, double f, Vector unit, SearchBox box, std::uint64_t seed)
    : x_(std::move(x)), f_(f), unit_(std::move(unit)), box_(std::move(box)), seed_(seed), points_(x_.size(), 3) {
  if (x_.size() < 2) verdict_ = Verdict::separable;
  draw();
}

void SeparabilityTest::draw() {
  const Index d = x_.size();
  Matrix normals(d, 2);
  CounterNormals(seed_, stream).fill(static_cast<std::uint64_t>(rounds_), normals);
  std::vector<Index> order(static_cast<std::size_t>(d));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return normals(i, 0) < normals(j, 0); });
  points_ = x_.replicate(1, 3);
  for (Index k = 0; k < d; ++k) {
    const Index i = order[static_cast<std::size_t>(k)];
    const double step = signed_step(uniform_of(normals(i, 1))) * unit_[i];
    double t = x_[i] + step;
    if (t < box_.lower[i] || t > box_.upper[i]) t = std::clamp(x_[i] - step, box_.lower[i], box_.upper[i]);
    points_(i, 1) = t;
    points_(i, k < d / 2 ? 0 : 2) = t;
  }
}

void SeparabilityTest::tell(const Vector& values) {
  ++rounds_;
  if (!is_additive(values[0], values[1], values[2])) {
    verdict_ = Verdict::coupled;
  } else if (rounds_ == rounds_needed) {
    verdict_ = Verdict::separable;
  } else {
    draw();
  }
}

/// A step that changes nothing says nothing: plateaus do not pass. Neither do values that are not finite.
bool SeparabilityTest::is_additive(double f_a, double f_ab, double f_b) const {
  if (f_a == f_ || f_b == f_) return false;
  const double size = std::max({std::abs(f_a), std::abs(f_ab), std::abs(f_b), std::abs(f_)});
  const double allowed = 1e-9 * (std::abs(f_a - f_) + std::abs(f_b - f_)) + 1e-13 * size;
  return std::abs(f_ab - f_a - f_b + f_) <= allowed && std::isfinite(size);
}

}  // namespace surefoot
