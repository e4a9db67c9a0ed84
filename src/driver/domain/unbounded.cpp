#include "driver/domain/unbounded.hpp"

#include <limits>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/require_same.hpp"

namespace surefoot {

void check_start(double sigma, const Vector& mean) {
  if (!(sigma >= 1e-150 && sigma <= 1e150)) {
    reject("sigma0", sigma, "it must be from 1e-150 to 1e150, as must a quarter of the bounds' width without it");
  }
  if (!(mean.squaredNorm() < std::numeric_limits<double>::infinity()))
    reject("x0", mean.cwiseAbs().maxCoeff(), "it is too large");
}

Unbounded::Unbounded(Vector x0, const Sigma0& sigma0, std::string note)
    : x0_(std::move(x0)), sigma_(sigma0.per_coordinate(x0_.size())[0]) {
  set_note(std::move(note));
  check_start(sigma_, x0_);
}

Start Unbounded::start() const { return {x0_, Vector::Constant(x0_.size(), sigma_)}; }

const Matrix& Unbounded::to_user(const Matrix& points, Matrix& /*room*/) const { return points; }

Start Unbounded::user_distribution(Start distribution) const { return distribution; }

double Unbounded::lower(Index /*coordinate*/) const { return -std::numeric_limits<double>::infinity(); }
double Unbounded::upper(Index /*coordinate*/) const { return std::numeric_limits<double>::infinity(); }

bool Unbounded::excess(const Matrix& /*points*/, const Vector& /*deviations*/, Vector& /*squares*/) const {
  return false;
}

bool Unbounded::correction(const Distribution& /*distribution*/, Vector& /*shift*/, Vector& /*factors*/) const {
  return false;
}

void Unbounded::visit(StateVisitor& visitor) const {
  require_same(visitor, "x0", x0_);
  require_same(visitor, "sigma0", Vector(Vector::Constant(1, sigma_)));
  require_same(visitor, "lower bounds", Vector());
  require_same(visitor, "upper bounds", Vector());
  require_same(visitor, "units", Vector());
}

}  // namespace surefoot
