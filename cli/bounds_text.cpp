#include "cli/bounds_text.hpp"

#include <limits>

#include "driver/at_bound.hpp"

namespace surefoot::cli {
namespace {

constexpr int most_named = 12;

double bound_at(const Vector& side, Index j) {
  if (side.size() == 0) return std::numeric_limits<double>::quiet_NaN();
  return side.size() == 1 ? side[0] : side[j];
}

BoundHit hit_of(const Space& space, const Bounds& bounds, const Vector& x, Index j) {
  if (space.empty()) return bound_hit(x[j], bound_at(bounds.lower, j), bound_at(bounds.upper, j), false);
  const Parameter& p = space[j];
  if (p.is_fixed() || p.kind == Parameter::Kind::choice) return BoundHit::none;
  if (p.kind == Parameter::Kind::grid) return bound_hit(x[j], p.values.front(), p.values.back(), p.log);
  return bound_hit(x[j], p.low, p.high, p.log);
}

}  // namespace

std::string parameters_at_bounds(const Space& space, const Bounds& bounds, const Vector& x) {
  std::string list;
  int count = 0;
  for (Index j = 0; j < x.size(); ++j) {
    const BoundHit hit = hit_of(space, bounds, x, j);
    if (hit == BoundHit::none || ++count > most_named) continue;
    list.append(list.empty() ? "" : ", ").append(parameter_name(space, j));
    list.append(hit == BoundHit::lower ? " (lower)" : " (upper)");
  }
  return count > most_named ? list + ", ... (" + std::to_string(count) + " parameters)" : list;
}

}  // namespace surefoot::cli
