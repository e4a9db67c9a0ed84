// Warm starts of named parameters: what two spaces share by name.

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "driver/domain/space_domain.hpp"

namespace surefoot {
namespace {

/// Pairs of coordinates, of the old distribution and of the new one, that are the same parameter.
struct Shared {
  std::vector<Index> old_ones;
  std::vector<Index> new_ones;
};

Shared shared_coordinates(const Space& old_space, const Space& space) {
  Shared shared;
  const std::vector<Index> old_searched = searched_parameters(old_space);
  const std::vector<Index> searched = searched_parameters(space);
  for (std::size_t k = 0; k < searched.size(); ++k) {
    const Parameter& p = space[searched[k]];
    for (std::size_t i = 0; i < old_searched.size(); ++i) {
      const Parameter& old = old_space[old_searched[i]];
      if (old.name != p.name || old.log != p.log) continue;
      shared.old_ones.push_back(static_cast<Index>(i));
      shared.new_ones.push_back(static_cast<Index>(k));
    }
  }
  return shared;
}

/// A root of the covariance of some coordinates: A_s A_s^T = R^T R with A_s^T = Q R, without forming the product. Gram
/// and Schmidt's modified process: its R is as accurate as Householder's, and Q is not needed.
Matrix root_of(const Start& old, const std::vector<Index>& coordinates) {
  const Matrix factor = old.factor ? *old.factor : Matrix(old.deviations.asDiagonal());
  const auto n = static_cast<Index>(coordinates.size());
  Matrix rest(factor.cols(), n);  // of the columns of A_s^T what the directions before do not have
  for (Index i = 0; i < n; ++i) rest.col(i) = factor.row(coordinates[static_cast<std::size_t>(i)]);
  Matrix root = Matrix::Zero(n, n);  // R^T
  for (Index j = 0; j < n; ++j) {
    root(j, j) = rest.col(j).norm();
    if (!(root(j, j) > 0)) continue;
    const Vector direction = rest.col(j) / root(j, j);
    for (Index i = j + 1; i < n; ++i) {
      root(i, j) = direction.dot(rest.col(i));
      rest.col(i) -= root(i, j) * direction;
    }
  }
  return root;
}

Start with_shared(const Space& space, const NamedStart& warm, const Shared& shared) {
  Start start = default_start(space);
  const std::vector<Index> searched = searched_parameters(space);
  const Matrix root = root_of(warm.start, shared.old_ones);
  Matrix factor = start.deviations.asDiagonal();
  for (std::size_t a = 0; a < shared.new_ones.size(); ++a) {
    const Index k = shared.new_ones[a];
    const Parameter& p = space[searched[static_cast<std::size_t>(k)]];
    start.mean[k] = warm.start.mean[shared.old_ones[a]];
    if (!p.is_discrete()) {
      const double low = p.log ? elementary::log(std::max(p.low, 0.0)) : p.low;
      start.mean[k] = std::clamp(start.mean[k], low, p.log ? elementary::log(p.high) : p.high);
    }
    factor.row(k).setZero();
    for (std::size_t b = 0; b < shared.new_ones.size(); ++b) {
      factor(k, shared.new_ones[b]) = root(static_cast<Index>(a), static_cast<Index>(b));
    }
  }
  return Start::with_factor(start.mean, factor);
}

std::vector<Vector> shared_probabilities(const Space& space, const NamedStart& warm) {
  std::vector<Vector> probabilities;
  for (const Parameter& p : space.parameters()) {
    if (p.kind != Parameter::Kind::choice || p.is_fixed()) continue;
    probabilities.emplace_back();  // stays empty, and so uniform, if the choice is another one
    std::size_t n = 0;
    for (const Parameter& old : warm.space.parameters()) {
      if (old.kind != Parameter::Kind::choice || old.is_fixed()) continue;
      const bool is_same = old.name == p.name && old.choices == p.choices;
      if (is_same && n < warm.probabilities.size()) probabilities.back() = warm.probabilities[n];
      ++n;
    }
  }
  return probabilities;
}

}  // namespace

std::shared_ptr<const Domain> make_domain(const Space& space, const NamedStart* warm_start) {
  if (warm_start == nullptr) return std::make_shared<SpaceDomain>(space);
  std::vector<Vector> probabilities = shared_probabilities(space, *warm_start);
  const Shared shared = shared_coordinates(warm_start->space, space);
  const Start start = shared.new_ones.empty() ? default_start(space) : with_shared(space, *warm_start, shared);
  return std::make_shared<SpaceDomain>(space, start, std::move(probabilities));
}

}  // namespace surefoot
