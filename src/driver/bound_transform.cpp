#include "driver/bound_transform.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Width of the parabola at a bound, as in pycma.
double margin(double bound, double low, double high) {
  if (!std::isfinite(bound)) return 1;
  return std::min((high - low) / 2, std::max(1.0, std::abs(bound)) / 20);
}

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
    if (std::isnan(lower[j]) || lower[j] == infinity) reject("bounds: lower" + at, lower[j], "a number or -inf");
    if (std::isnan(upper[j]) || upper[j] == -infinity) reject("bounds: upper" + at, upper[j], "a number or inf");
    if (lower[j] > upper[j]) {
      reject("bounds: lower" + at, lower[j], "it must be at most the upper bound, " + text(upper[j]));
    }
    if (x0[j] < lower[j] || x0[j] > upper[j]) {
      reject("x0" + at, x0[j], "it must be within its bounds, " + text(lower[j]) + " to " + text(upper[j]));
    }
  }
}

}  // namespace

double transform_into(double low, double high, double x) {
  const double a = margin(low, low, high);
  const double b = margin(high, low, high);
  if (std::isfinite(low) && std::isfinite(high)) {
    const double width = high - low;
    const double period = 2 * (width + a + b);
    const double start = low - 2 * a - width / 2;
    if (x < start || x > high + 2 * b + width / 2) x -= period * std::floor((x - start) / period);
  }
  if (x > high + b) x = 2 * (high + b) - x;
  if (x < low - a) x = 2 * (low - a) - x;
  double t = x;
  if (x < low + a) {
    t = low + (x - low + a) * (x - low + a) / (4 * a);
  } else if (x > high - b) {
    t = high - (x - high - b) * (x - high - b) / (4 * b);
  }
  return std::clamp(t, low, high);  // rounding must not leave the interval
}

double transform_back(double low, double high, double t) {
  const double a = margin(low, low, high);
  const double b = margin(high, low, high);
  if (t < low + a) return low - a + 2 * std::sqrt(a * (t - low));
  if (t > high - b) return high + b - 2 * std::sqrt(b * (high - t));
  return t;
}

BoundTransform::BoundTransform(const Bounds& bounds, const Vector& x0)
    : lower_(expanded("lower", bounds.lower, x0.size(), -infinity)),
      upper_(expanded("upper", bounds.upper, x0.size(), infinity)),
      fixed_(x0) {
  check(lower_, upper_, x0);
  active_ = lower_.maxCoeff() > -infinity || upper_.minCoeff() < infinity;
  for (Index j = 0; j < x0.size(); ++j) {
    if (lower_[j] < upper_[j]) free_.push_back(j);
  }
  if (free_.empty()) throw std::invalid_argument("bounds: all coordinates are fixed; at least one must be free");
}

void BoundTransform::to_user(const Matrix& points, Matrix& user) const {
  user.resize(user_dimension(), points.cols());
  for (Index i = 0; i < points.cols(); ++i) {
    user.col(i) = fixed_;
    for (Index k = 0; k < search_dimension(); ++k) {
      const Index j = free_[static_cast<std::size_t>(k)];
      user(j, i) = transform_into(lower_[j], upper_[j], points(k, i));
    }
  }
}

Vector BoundTransform::to_user(const Vector& point) const {
  Vector user = fixed_;
  for (Index k = 0; k < search_dimension(); ++k) {
    const Index j = free_[static_cast<std::size_t>(k)];
    user[j] = transform_into(lower_[j], upper_[j], point[k]);
  }
  return user;
}

Vector BoundTransform::to_search(const Vector& user) const {
  Vector point(search_dimension());
  for (Index k = 0; k < search_dimension(); ++k) {
    const Index j = free_[static_cast<std::size_t>(k)];
    point[k] = transform_back(lower_[j], upper_[j], std::clamp(user[j], lower_[j], upper_[j]));
  }
  return point;
}

Vector BoundTransform::searched(const Vector& per_coordinate) const {
  Vector some(search_dimension());
  for (Index k = 0; k < search_dimension(); ++k) some[k] = per_coordinate[free_[static_cast<std::size_t>(k)]];
  return some;
}

Vector BoundTransform::all(const Vector& per_searched, double fixed) const {
  Vector every = Vector::Constant(user_dimension(), fixed);
  for (Index k = 0; k < search_dimension(); ++k) every[free_[static_cast<std::size_t>(k)]] = per_searched[k];
  return every;
}

Vector BoundTransform::largest_deviations() const { return searched((upper_ - lower_) / 3); }

bool BoundTransform::is_box() const {
  for (const Index j : free_) {
    if (!std::isfinite(lower_[j]) || !std::isfinite(upper_[j])) return false;
  }
  return true;
}

}  // namespace surefoot
