#include "driver/model/noise/regression_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "core/visit_count.hpp"
#include "driver/draws.hpp"
#include "driver/model/noise/nested_windows.hpp"

namespace surefoot {
namespace {

Index samples_of(Index d) { return 4 + static_cast<Index>(3 * elementary::log(static_cast<double>(d))); }

}  // namespace

Points points_of(const Archive& archive) {
  const Index n = archive.size();
  Points points{Matrix(n == 0 ? 0 : archive.point(0).size(), n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    points.x.col(i) = archive.point(n - 1 - i);
    points.f[i] = archive.value(n - 1 - i);
  }
  return points;
}

RegressionSearch::RegressionSearch(Axes start, double largest, std::optional<double> known_deviation)
    : samples_(samples_of(start.origin.size())),
      largest_(largest),
      known_deviation_(known_deviation),
      frame_(std::move(start)),
      loss_(std::numeric_limits<double>::infinity()),
      fitted_(std::numeric_limits<double>::infinity()),
      deviation_(known_deviation.value_or(0)) {}

bool RegressionSearch::is_repeat_due() const {
  if (known_deviation_) return false;
  return unrepeated_ + samples_ >= (pairs_ < 6 ? 10 : 20);
}

Matrix RegressionSearch::points(NormalSource& normals) const {
  Matrix z(frame_.origin.size(), samples_);
  normals.fill(regression_draw + static_cast<std::uint64_t>(rounds_), z);
  for (Index i = 1; i < samples_; i += 2) z.col(i) = -z.col(i - 1);
  Matrix x(z.rows(), size());
  x.leftCols(samples_) = product(frame_.axes, z);
  x.leftCols(samples_).colwise() += frame_.origin;
  if (is_repeat_due()) x.col(samples_) = x.col(samples_ - 1);
  return x;
}

void RegressionSearch::learn(const Archive& archive, const RepeatNoise& repeats) {
  unrepeated_ = is_repeat_due() ? 0 : unrepeated_ + samples_;
  pairs_ = repeats.count();
  ++rounds_;
  if (archive.added() >= next_fit_) fit(archive, repeats);
}

void RegressionSearch::fit(const Archive& archive, const RepeatNoise& repeats) {
  pairs_ = repeats.count();
  next_fit_ = std::max(archive.added() + samples_, archive.added() * 27 / 25);
  const Points points = points_of(archive);
  const auto window = best_window(points.x, points.f, frame_);
  if (!window) return;
  frame_ = next_frame(*window, frame_, repeats, known_deviation_, archive.added(), largest_);
  loss_ = window->expected_loss();
  fitted_ = window->fitted_minimum();
  is_interior_ = window->is_interior() ? 1 : 0;
  deviation_ = known_deviation_.value_or(repeats.count() > 0 ? std::min(repeats.deviation(), window->deviation())
                                                             : window->deviation());
}

void RegressionSearch::visit(StateVisitor& visitor) {
  visitor.vector("regression m", frame_.origin);
  visitor.matrix("regression A", frame_.axes);
  visitor.scalar("regression largest scale", largest_);
  visit_count(visitor, "regression rounds", rounds_);
  visit_count(visitor, "regression samples since a repeat", unrepeated_);
  visit_count(visitor, "regression repeats", pairs_);
  visit_count(visitor, "regression next fit", next_fit_);
  visitor.integer("regression is interior", is_interior_);
  visitor.scalar("regression loss", loss_);
  visitor.scalar("regression minimum", fitted_);
  visitor.scalar("regression noise", deviation_);
}

}  // namespace surefoot
