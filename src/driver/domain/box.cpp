#include "driver/domain/box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/geometric_mean.hpp"
#include "core/invalid_option.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "driver/domain/unbounded.hpp"
#include "driver/draws.hpp"
#include "driver/require_same.hpp"

namespace surefoot {
namespace {

constexpr double no_bound = std::numeric_limits<double>::infinity();

// Width of the parabola at a bound, in standard deviations of the start. Without it a function that falls towards a
// bound has a kink there, and the condition of the covariance must grow for ever: twice as many evaluations on an
// ellipsoid with half of its optimum outside. A wide one has a flat end, at which coordinates that matter little get
// stuck: with 0.1, one trial in ten on the ellipsoid with an optimum at a thousandth of the width
// (docs/evidence/bounds.md).
constexpr double margin_share = 3e-4;

// Of a box in which restarts begin anywhere: beyond it squares of distances overflow.
constexpr double largest_width = 1e150;

Vector expanded(const char* side, const Vector& bounds, Index d, double none) {
  if (bounds.size() == 0) return Vector::Constant(d, none);
  if (bounds.size() == 1) return Vector::Constant(d, bounds[0]);
  if (bounds.size() != d) {
    reject(std::string("bounds: ") + side, "a list of " + text(bounds.size()) + " numbers",
           "give one number or one per coordinate, " + text(d) + " here");
  }
  return bounds;
}

void check(const Vector& lower, const Vector& upper, const Vector& x0) {
  for (Index j = 0; j < x0.size(); ++j) {
    std::string at = "[";
    at.append(text(j)).append("]");
    if (std::isnan(lower[j]) || lower[j] == no_bound) reject("bounds: lower" + at, lower[j], "a number or -inf");
    if (std::isnan(upper[j]) || upper[j] == -no_bound) reject("bounds: upper" + at, upper[j], "a number or inf");
    if (lower[j] > upper[j]) {
      reject("bounds: lower" + at, lower[j], "it must be at most the upper bound, " + text(upper[j]));
    }
    if (x0[j] < lower[j] || x0[j] > upper[j]) {
      reject("x0" + at, x0[j], "it must be within its bounds, " + text(lower[j]) + " to " + text(upper[j]));
    }
  }
}

/// A mean may be a little outside; it then stands for the nearest point inside.
Vector projected(const Bounds& bounds, const Vector& mean) {
  const Vector lower = expanded("lower", bounds.lower, mean.size(), -no_bound);
  const Vector upper = expanded("upper", bounds.upper, mean.size(), no_bound);
  return mean.cwiseMax(lower).cwiseMin(upper);
}

}  // namespace

Box::Box(const Bounds& bounds, const Vector& x0)
    : user_lower_(expanded("lower", bounds.lower, x0.size(), -no_bound)),
      user_upper_(expanded("upper", bounds.upper, x0.size(), no_bound)),
      fixed_(x0) {
  check(user_lower_, user_upper_, x0);
  for (Index j = 0; j < x0.size(); ++j) {
    if (user_lower_[j] < user_upper_[j]) free_.push_back(j);
  }
  if (free_.empty()) throw std::invalid_argument("bounds: all coordinates are fixed; at least one must be free");
}

Box::Box(const Bounds& bounds, const Vector& x0, const Sigma0& sigma0, std::string note) : Box(bounds, x0) {
  set_note(std::move(note));
  const Vector third = searched(user_upper_ / 3 - user_lower_ / 3);
  if (sigma0.is_given()) {
    set_units(searched(sigma0.per_coordinate(user_dimension())).cwiseMin(third));
  } else {
    if (!is_finite()) {
      throw std::invalid_argument(
          "sigma0 is missing: give a standard deviation, or two finite bounds for every coordinate");
    }
    set_units(searched(user_upper_ / 4 - user_lower_ / 4));
  }
}

Box::Box(const Bounds& bounds, const Start& start) : Box(bounds, projected(bounds, start.mean)) {
  if (search_dimension() < user_dimension()) {
    throw std::invalid_argument("bounds: equal bounds, which fix a coordinate, do not go with a start distribution");
  }
  set_units(start.deviations);
  if (start.direction) start_direction_ = start.direction->cwiseQuotient(unit_);
  if (!start.factor) return;
  start_factor_ = scaled_rows(unit_.cwiseInverse(), *start.factor);
  start_sigma_ = start.sigma();
}

/// A common standard deviation is kept exactly, with the unit 1; otherwise the units have the geometric mean 1.
void Box::set_units(const Vector& deviations) {
  start_sigma_ = geometric_mean(deviations);
  unit_ = deviations / start_sigma_;
  lower_ = searched(user_lower_).cwiseQuotient(unit_);
  upper_ = searched(user_upper_).cwiseQuotient(unit_);
  margin_ = ((upper_ - lower_) / 2).cwiseMin(margin_share * start_sigma_);
  start_mean_ = to_search(fixed_);
  // Squares, of which covariances and distances are made, must be doubles too.
  if (!(unit_.squaredNorm() < no_bound) || !(unit_.cwiseInverse().squaredNorm() < no_bound) || !(start_sigma_ > 0)) {
    throw std::invalid_argument("sigma0: the standard deviations of the coordinates, from " +
                                text(deviations.minCoeff()) + " to " + text(deviations.maxCoeff()) +
                                ", are too far apart for double precision");
  }
  check_start(start_sigma_, start_mean_);
  has_bounds_ = lower_.maxCoeff() > -no_bound || upper_.minCoeff() < no_bound;
  is_identity_ = !has_bounds_ && search_dimension() == user_dimension() && (unit_.array() == 1).all();
}

Start Box::start() const {
  if (start_factor_) return Start::with_factor(start_mean_, *start_factor_);
  return {.mean = start_mean_,
          .deviations = Vector::Constant(search_dimension(), start_sigma_),
          .direction = start_direction_};
}

Vector Box::searched(const Vector& per_coordinate) const {
  Vector some(search_dimension());
  for (Index k = 0; k < search_dimension(); ++k) some[k] = per_coordinate[free_[static_cast<std::size_t>(k)]];
  return some;
}

bool Box::is_finite() const {
  return std::all_of(free_.begin(), free_.end(),
                     [this](Index j) { return std::isfinite(user_lower_[j]) && std::isfinite(user_upper_[j]); });
}

const Matrix& Box::to_user(const Matrix& points, Matrix& room) const {
  if (is_identity_) return points;
  room.resize(user_dimension(), points.cols());
  for (Index i = 0; i < points.cols(); ++i) {
    room.col(i) = fixed_;
    for (Index k = 0; k < search_dimension(); ++k) {
      const Index j = free_[static_cast<std::size_t>(k)];
      room(j, i) = std::clamp(unit_[k] * into(k, points(k, i)), user_lower_[j], user_upper_[j]);
    }
  }
  return room;
}

Vector Box::to_user(const Vector& point) const {
  Matrix room;
  return to_user(Matrix(point), room).col(0);
}

Vector Box::to_search(const Vector& user) const {
  Vector point = searched(user).cwiseQuotient(unit_);
  for (Index k = 0; k < point.size(); ++k) point[k] = back(k, point[k]);
  return point;
}

/// The identity inside, a parabola over the margin around a bound, and the bound itself beyond.
double Box::into(Index k, double x) const {
  const double a = margin_[k];
  if (x < lower_[k] + a) {
    const double t = std::max(0.0, x - lower_[k] + a);
    return lower_[k] + t * t / (4 * a);
  }
  if (x > upper_[k] - a) {
    const double t = std::max(0.0, upper_[k] + a - x);
    return upper_[k] - t * t / (4 * a);
  }
  return x;
}

double Box::back(Index k, double x) const {
  const double a = margin_[k];
  if (x < lower_[k] + a) return lower_[k] - a + 2 * std::sqrt(a * std::max(0.0, x - lower_[k]));
  if (x > upper_[k] - a) return upper_[k] + a - 2 * std::sqrt(a * std::max(0.0, upper_[k] - x));
  return x;
}

Vector Box::user_deviations(Vector deviations) const {
  Vector all = Vector::Zero(user_dimension());
  for (Index k = 0; k < search_dimension(); ++k) all[free_[static_cast<std::size_t>(k)]] = unit_[k] * deviations[k];
  return all;
}

Start Box::user_distribution(Start distribution) const {
  distribution.rescale(unit_);
  return distribution;
}

Vector Box::restart_mean(const Vector& z) const {
  if (!((upper_ - lower_).maxCoeff() <= largest_width)) {  // no bounds, or bounds that say nothing
    const Vector mean = start().point(z);
    return mean + way_back(mean, mean, 0);
  }
  Vector x = lower_ + (upper_ - lower_).cwiseProduct(z.unaryExpr(&uniform_of));
  for (Index k = 0; k < x.size(); ++k) x[k] = back(k, x[k]);
  return x;
}

bool Box::excess(const Matrix& points, const Vector& deviations, Vector& squares) const {
  squares.setZero(points.cols());
  for (Index i = 0; i < points.cols(); ++i) {
    for (Index k = 0; k < search_dimension(); ++k) {
      const double x = points(k, i);
      const double distance = (x - std::clamp(x, lower_[k] - margin_[k], upper_[k] + margin_[k])) / deviations[k];
      squares[i] += distance * distance;
    }
  }
  return squares.maxCoeff() > 0;
}

Vector Box::way_back(const Vector& mean, const Vector& deviations, double limit) const {
  const Vector far = limit * deviations;
  return mean.cwiseMax(lower_ - margin_ - far).cwiseMin(upper_ + margin_ + far) - mean;
}

bool Box::correction(const Distribution& distribution, Vector& shift, Vector& factors) const {
  constexpr double farthest = 0.5;  // standard deviations of the mean outside
  if (!has_bounds_) return false;
  distribution.deviations(factors);
  if (!distribution.is_finite() || !(factors.minCoeff() > 0)) return false;
  shift = way_back(distribution.mean(), factors, farthest);
  // More than a third of an interval is of no use, as in pycma.
  factors = (upper_ / 3 - lower_ / 3).cwiseQuotient(factors).cwiseMin(1);
  return factors.minCoeff() < 1 || (shift.array() != 0).any();
}

void Box::visit(StateVisitor& visitor) const {
  require_same(visitor, "x0", fixed_);
  require_same(visitor, "sigma0", user_deviations(Vector::Constant(search_dimension(), start_sigma_)));
  require_same(visitor, "lower bounds", user_lower_);
  require_same(visitor, "upper bounds", user_upper_);
  require_same(visitor, "units", unit_);
}

}  // namespace surefoot
