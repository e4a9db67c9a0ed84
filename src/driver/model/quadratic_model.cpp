#include "driver/model/quadratic_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/elementary/elementary.hpp"
#include "core/visit_count.hpp"
#include "driver/model/kendall_tau.hpp"

namespace surefoot {
namespace {

constexpr Index remembered_per_term = 3;  // newest points; small models should not see what large ones need
constexpr double used_share = 0.75;       // of them, the best
constexpr double points_per_term = 1.1;   // needed, of those
constexpr std::array other_powers = {0.5, 2.0};
constexpr Index judged_points = 15;        // the newest, to choose a power
constexpr double clear_gain = 0.02;        // of tau
constexpr double weight_of_the_best = 20;  // that of the worst is 1

ModelType smaller(ModelType type) { return static_cast<ModelType>(static_cast<int>(type) - 1); }

}  // namespace

QuadraticModel::QuadraticModel(Index dimension, ModelType largest)
    : largest_(largest),
      frame_(dimension),
      quadratic_(dimension),
      other_(dimension),
      shift_(dimension),
      rotation_(dimension, dimension) {}

void QuadraticModel::fit(const Archive& archive, const Frame& frame) {
  ++fits_;
  condition_ = std::numeric_limits<double>::quiet_NaN();
  points_seen_ = archive.added();
  ModelType type = affordable(archive.size());
  while (type != ModelType::none && !fit(type, archive, frame)) type = smaller(type);
  type_ = static_cast<std::int64_t>(type);
}

ModelType QuadraticModel::affordable(Index points) const {
  if (points < 2) return ModelType::none;
  const Index d = frame_.center().size();
  for (ModelType type = largest_; type > ModelType::linear; type = smaller(type)) {
    const auto terms = static_cast<double>(number_of_terms(type, d));
    if (used_share * static_cast<double>(points) >= points_per_term * terms) return type;
  }
  return ModelType::linear;
}

/// The newest points, best first; of equal values the newest first.
void QuadraticModel::order(const Archive& archive, Index window) {
  order_.resize(static_cast<std::size_t>(window));
  std::iota(order_.begin(), order_.end(), Index{0});
  std::sort(order_.begin(), order_.end(), [&](Index a, Index b) {
    const double fa = archive.value(a);
    const double fb = archive.value(b);
    return fa < fb || (fa == fb && a < b);
  });
}

bool QuadraticModel::fit(ModelType type, const Archive& archive, const Frame& frame) {
  const Index terms = number_of_terms(type, frame_.center().size());
  const Index window = std::min(archive.size(), std::max(terms + 2, remembered_per_term * terms));
  const auto share = static_cast<Index>(used_share * static_cast<double>(window + 1));
  const Index used = std::min(window, std::max(terms + 2, share));
  order(archive, window);
  gather(archive, used);
  if (!(range_ > 0) || !std::isfinite(range_)) return false;
  weigh(used);
  place(type, frame);
  frame_.to_local(points_, local_);
  if (!local_.allFinite() || !fit_.prepare(type, local_, weights_)) return false;
  if (!fit_.solve(y_, quadratic_)) return false;
  power_ = 1;
  if (type == ModelType::full) choose_power(archive);
  return true;
}

/// Ridges of |x| are quadratic in f^2, valleys of x^4 in the root of f. A power costs one more right side, no other
/// factor. It must rank clearly better than the values themselves: tau of few points says little.
void QuadraticModel::choose_power(const Archive& archive) {
  double best = rank_correlation(archive, judged_points);
  for (const double power : other_powers) {
    powered_ = y_.unaryExpr([power](double y) { return elementary::pow(y, power); });
    std::swap(quadratic_, other_);
    std::swap(power_, other_power_);
    const bool is_solved = fit_.solve(powered_, quadratic_);
    const double tau = is_solved ? rank_correlation(archive, judged_points) : -1;
    power_ = power;
    if (tau > best + clear_gain) {
      best = tau;
    } else {
      std::swap(quadratic_, other_);
      std::swap(power_, other_power_);
    }
  }
}

double QuadraticModel::rank_correlation(const Archive& archive, Index count) {
  const Index n = std::min(archive.size(), count);
  newest_.resize(frame_.center().size(), n);
  newest_values_.resize(n);
  for (Index i = 0; i < n; ++i) {
    newest_.col(i) = archive.point(i);
    newest_values_[i] = archive.value(i);
  }
  values(newest_, predicted_);
  return kendall_tau(predicted_, newest_values_);
}

void QuadraticModel::gather(const Archive& archive, Index used) {
  points_.resize(frame_.center().size(), used);
  y_.resize(used);
  for (Index k = 0; k < used; ++k) {
    const Index entry = order_[static_cast<std::size_t>(k)];
    points_.col(k) = archive.point(entry);
    y_[k] = archive.value(entry);
  }
  lowest_ = y_[0];
  range_ = y_[used - 1] - lowest_;
  y_ = (y_.array() - lowest_) / range_;
}

/// w_k = (20 - 19 k/(u - 1))/sqrt(1 + y_k/y_{u/2}).
void QuadraticModel::weigh(Index used) {
  const double middle = y_[used / 2] > 0 ? y_[used / 2] : 1;
  weights_.resize(used);
  for (Index k = 0; k < used; ++k) {
    const double rank = static_cast<double>(k) / static_cast<double>(used - 1);
    weights_[k] = (weight_of_the_best - (weight_of_the_best - 1) * rank) / std::sqrt(1 + y_[k] / middle);
  }
}

void QuadraticModel::place(ModelType type, const Frame& frame) {
  if (type == ModelType::full) {
    frame_ = frame;
  } else {
    frame_.set_axis_parallel(frame.center(), frame.axes().rowwise().norm());
  }
}

void QuadraticModel::values(const Matrix& points, Vector& result) const {
  frame_.to_local(points, local_);
  quadratic_.values(local_, product_, result);
}

double QuadraticModel::rise(double value) const {
  return std::copysign(elementary::pow(std::abs(value), 1 / power_), value);
}

void QuadraticModel::in_frame(const Frame& frame, Quadratic& result) const {
  frame_.see(frame, shift_, rotation_);
  quadratic_.substitute(shift_, rotation_, result);
}

void QuadraticModel::visit(StateVisitor& visitor) {
  visitor.integer("model type", type_);
  visit_count(visitor, "model fits", fits_);
  visit_count(visitor, "model points seen", points_seen_);
  visitor.scalar("model power", power_);
  visitor.scalar("model lowest", lowest_);
  visitor.scalar("model range", range_);
  visitor.scalar("model condition", condition_);
  frame_.visit(visitor);
  quadratic_.visit(visitor);
}

}  // namespace surefoot
