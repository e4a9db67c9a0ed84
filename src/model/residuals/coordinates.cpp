#include "model/residuals/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "model/residuals/infinity.hpp"

namespace surefoot {
namespace {

Vector fit_side(const std::string& option, const Vector& side, Index dimension, double otherwise) {
  if (side.size() == 0) return Vector::Constant(dimension, otherwise);
  if (side.size() == 1) return Vector::Constant(dimension, side[0]);
  if (side.size() != dimension) {
    reject(option, text(side.size()) + " numbers",
           "give one number or one per parameter, " + text(dimension) + " here");
  }
  return side;
}

std::string fit_parameter(Index i) { return "x" + text(i); }

}  // namespace

FitCoordinates::FitCoordinates(FitDomain domain) : domain_(std::move(domain)) {
  const Index d = user_dimension();
  domain_.bounds.lower = fit_side("lower bounds", domain_.bounds.lower, d, -fit_infinity);
  domain_.bounds.upper = fit_side("upper bounds", domain_.bounds.upper, d, fit_infinity);
  if (domain_.sigma0.size() != 0) domain_.sigma0 = fit_side("sigma0", domain_.sigma0, d, 0);
  check();
  for (Index i = 0; i < d; ++i) {
    if (domain_.bounds.lower[i] < domain_.bounds.upper[i]) free_.push_back(i);
  }
  unit_.resize(dimension());
  lower_.resize(dimension());
  upper_.resize(dimension());
  for (Index k = 0; k < dimension(); ++k) set_unit(k);
  is_box_ = lower_.allFinite() && upper_.allFinite();
}

void FitCoordinates::check() const {
  const auto& [lower, upper] = domain_.bounds;
  if (user_dimension() == 0) reject("x0", "no number", "give one number for each parameter");
  if (!domain_.log.empty() && static_cast<Index>(domain_.log.size()) != user_dimension()) {
    reject("log", text(domain_.log.size()) + " values", "give one for each parameter");
  }
  for (Index i = 0; i < user_dimension(); ++i) {
    const double x = domain_.x0[i];
    if (!std::isfinite(x)) reject("x0 of " + fit_parameter(i), x, "it must be finite");
    if (std::isnan(lower[i]) || std::isnan(upper[i]) || lower[i] > upper[i] || lower[i] == fit_infinity ||
        upper[i] == -fit_infinity) {
      reject("bounds of " + fit_parameter(i), "[" + text(lower[i]) + ", " + text(upper[i]) + "]",
             "the lower bound must not be above the upper one");
    }
    if (x < lower[i] || x > upper[i]) {
      reject("x0 of " + fit_parameter(i), x, "it must be within [" + text(lower[i]) + ", " + text(upper[i]) + "]");
    }
    if (domain_.sigma0.size() != 0) require_positive("sigma0 of " + fit_parameter(i), domain_.sigma0[i]);
    if (is_log(i) && x <= 0) reject("x0 of " + fit_parameter(i), x, "a parameter on a log scale must be positive");
  }
}

void FitCoordinates::set_unit(Index k) {
  const Index i = free_[static_cast<std::size_t>(k)];
  const double x0 = domain_.x0[i];
  const double low = domain_.bounds.lower[i];
  const double high = domain_.bounds.upper[i];
  const bool log = is_log(i);
  const bool has_box = std::isfinite(high) && (log ? low > 0 : std::isfinite(low));
  const auto scaled = [log](double x) { return log ? elementary::log(x) : x; };
  if (has_box) {
    unit_[k] = scaled(high) - scaled(low);
  } else if (domain_.sigma0.size() != 0) {
    unit_[k] = 4 * (log ? elementary::log1p(domain_.sigma0[i] / x0) : domain_.sigma0[i]);
  } else {
    unit_[k] = log || x0 == 0 ? 1 : std::abs(x0);
  }
  if (!std::isfinite(unit_[k])) reject("bounds of " + fit_parameter(i), text(low) + ", " + text(high), "too far apart");
  lower_[k] = log && low <= 0 ? -fit_infinity : (scaled(low) - scaled(x0)) / unit_[k];
  upper_[k] = (scaled(high) - scaled(x0)) / unit_[k];
}

Vector FitCoordinates::to_user(const Vector& u) const {
  Vector x = domain_.x0;
  for (Index k = 0; k < dimension(); ++k) {
    const Index i = free_[static_cast<std::size_t>(k)];
    const double step = unit_[k] * u[k];
    x[i] = is_log(i) ? x[i] * elementary::exp(step) : x[i] + step;
    // Bounds of u are rounded: the point on one is exactly on that of x.
    if (u[k] <= lower_[k]) x[i] = domain_.bounds.lower[i];
    if (u[k] >= upper_[k]) x[i] = domain_.bounds.upper[i];
    x[i] = std::clamp(x[i], domain_.bounds.lower[i], domain_.bounds.upper[i]);
  }
  return x;
}

Matrix FitCoordinates::to_user(const Matrix& u) const {
  Matrix x(user_dimension(), u.cols());
  for (Index j = 0; j < u.cols(); ++j) x.col(j) = to_user(Vector(u.col(j)));
  return x;
}

Vector FitCoordinates::slopes(const Vector& u) const {
  const Vector x = to_user(u);
  Vector slopes = unit_;
  for (Index k = 0; k < dimension(); ++k) {
    const Index i = free_[static_cast<std::size_t>(k)];
    if (is_log(i)) slopes[k] *= x[i];
  }
  return slopes;
}

std::vector<int> FitCoordinates::active(const Vector& u) const {
  std::vector<int> active(free_.size(), 0);
  for (Index k = 0; k < dimension(); ++k) {
    if (u[k] <= lower_[k]) active[static_cast<std::size_t>(k)] = -1;
    if (u[k] >= upper_[k]) active[static_cast<std::size_t>(k)] = 1;
  }
  return active;
}

}  // namespace surefoot
