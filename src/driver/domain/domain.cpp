#include "driver/domain/domain.hpp"

#include <cmath>

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

const std::string& Domain::note() const {
  static const std::string none;
  return none;
}

std::string Domain::label(const std::string& option, Index coordinate) const {
  return option + "[" + text(coordinate) + "]";
}

std::shared_ptr<const Domain> make_domain(const Bounds& bounds, const Vector& x0, const Sigma0& sigma0) {
  if (bounds.empty() && sigma0.is_common()) return std::make_shared<Unbounded>(x0, sigma0);
  auto box = std::make_shared<Box>(bounds, x0, sigma0);
  if (box->is_identity()) return std::make_shared<Unbounded>(x0, Sigma0(box->start_sigma()));
  return box;
}

std::shared_ptr<const Domain> make_domain(const Bounds& bounds, const Start& start) {
  return std::make_shared<Box>(bounds, start);
}

}  // namespace surefoot
