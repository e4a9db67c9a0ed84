#include "driver/domain/domain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/invalid_option.hpp"
#include "driver/domain/box.hpp"
#include "driver/domain/unbounded.hpp"

namespace surefoot {

const Vector& Domain::checked(const std::string& option, const Vector& x) const {
  if (x.size() != user_dimension()) {
    reject(option, "a list of " + text(x.size()) + " numbers", "it needs " + text(user_dimension()));
  }
  for (Index j = 0; j < x.size(); ++j) {
    if (x[j] >= lower(j) && x[j] <= upper(j) && std::isfinite(x[j])) continue;
    const std::string coordinate = label(option, j);
    if (!std::isfinite(x[j])) reject(coordinate, x[j], "it must be finite");
    reject(coordinate, x[j], "it must be within its bounds, " + text(lower(j)) + " to " + text(upper(j)));
  }
  for (Index j = 0; j < x.size(); ++j) {
    const std::string why = objection(j, x[j]);
    if (!why.empty()) reject(label(option, j), x[j], why);
  }
  return x;
}

bool Domain::contains(const Matrix& points) const {
  if (!points.allFinite()) return false;
  const bool has_limits = has_bounds() || !space().empty();
  for (Index j = 0; has_limits && j < points.rows(); ++j) {
    if (points.row(j).minCoeff() < lower(j) || points.row(j).maxCoeff() > upper(j)) return false;
    for (Index i = 0; i < points.cols(); ++i) {
      if (!objection(j, points(j, i)).empty()) return false;
    }
  }
  return true;
}

const Space& Domain::space() const {
  static const Space none;
  return none;
}

std::string Domain::name(Index k) const { return text(k); }

const std::vector<DiscreteCoordinate>& Domain::discrete() const {
  static const std::vector<DiscreteCoordinate> none;
  return none;
}

const std::vector<Index>& Domain::choice_sizes() const {
  static const std::vector<Index> none;
  return none;
}

const std::vector<Vector>& Domain::start_probabilities() const {
  static const std::vector<Vector> none;
  return none;
}

std::string Domain::label(const std::string& option, Index coordinate) const {
  return option + "[" + text(coordinate) + "]";
}

namespace {

double bound_at(const Vector& bounds, Index j, double none) {
  if (bounds.size() == 0) return none;
  return bounds[bounds.size() == 1 ? 0 : std::min(j, bounds.size() - 1)];
}

/// A quarter of the bounds' width where there are two; elsewhere a quarter of |x0|, or 1/4 where x0 is 0. Empty where
/// all coordinates have two bounds, which say it then.
Vector guessed_deviations(const Bounds& bounds, const Vector& x0) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Vector sigma(x0.size());
  bool is_boxed = true;
  for (Index j = 0; j < x0.size(); ++j) {
    const double width = bound_at(bounds.upper, j, inf) / 4 - bound_at(bounds.lower, j, -inf) / 4;
    is_boxed = is_boxed && std::isfinite(width);
    sigma[j] = std::isfinite(width) ? width : std::abs(x0[j]) / 4;
    if (!(sigma[j] > 0)) sigma[j] = 0.25;
  }
  return is_boxed ? Vector() : sigma;
}

std::string note_about(const Vector& guessed) {
  constexpr Index most = 6;
  std::string shown;
  for (Index j = 0; j < std::min(most, guessed.size()); ++j) shown += (j > 0 ? ", " : "") + short_text(guessed[j]);
  if (guessed.size() > most) shown += ", ...";
  return "; sigma0 was not given: a quarter of |x0| was taken (" + shown + ")";
}

}  // namespace

std::shared_ptr<const Domain> make_domain(const Bounds& bounds, const Vector& x0, const Sigma0& sigma0) {
  const Vector guessed = sigma0.is_given() ? Vector() : guessed_deviations(bounds, x0);
  const std::string note = guessed.size() > 0 ? note_about(guessed) : "";
  const Sigma0 sigma = guessed.size() > 0 ? Sigma0(guessed) : sigma0;
  if (bounds.empty() && sigma.is_common()) return std::make_shared<Unbounded>(x0, sigma, note);
  auto box = std::make_shared<Box>(bounds, x0, sigma, note);
  if (box->is_identity()) return std::make_shared<Unbounded>(x0, Sigma0(box->start_sigma()), note);
  return box;
}

std::shared_ptr<const Domain> make_domain(const Bounds& bounds, const Start& start) {
  return std::make_shared<Box>(bounds, start);
}

}  // namespace surefoot
