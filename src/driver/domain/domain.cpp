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
    const std::string coordinate = option + "[" + text(j) + "]";
    if (!std::isfinite(x[j])) reject(coordinate, x[j], "it must be finite");
    reject(coordinate, x[j], "it must be within its bounds, " + text(lower(j)) + " to " + text(upper(j)));
  }
  return x;
}

bool Domain::contains(const Matrix& points) const {
  if (!points.allFinite()) return false;
  for (Index j = 0; has_bounds() && j < points.rows(); ++j) {
    if (points.row(j).minCoeff() < lower(j) || points.row(j).maxCoeff() > upper(j)) return false;
  }
  return true;
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
