#include "driver/domain/space_domain.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "driver/draws.hpp"
#include "driver/require_same.hpp"

namespace surefoot {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

ValueGrid grid_of(const Parameter& p) {
  if (p.kind == Parameter::Kind::grid) return ValueGrid::list(p.values, p.log);
  return ValueGrid::integers(p.low, p.high, p.log);
}

double low_of(const Parameter& p) { return p.kind == Parameter::Kind::grid ? p.values.front() : p.low; }
double high_of(const Parameter& p) { return p.kind == Parameter::Kind::grid ? p.values.back() : p.high; }

/// The coordinate u of a value.
double scaled(const Parameter& p, double value) {
  if (!p.log) return value;
  return value > 0 ? elementary::log(value) : -unlimited;
}

double start_in_u(const Parameter& p) {
  if (p.start) return scaled(p, *p.start);
  return scaled(p, low_of(p)) / 2 + scaled(p, high_of(p)) / 2;
}

double sigma_in_u(const Parameter& p) {
  if (p.sigma) return p.log ? elementary::log(*p.sigma) : *p.sigma;
  return scaled(p, high_of(p)) / 4 - scaled(p, low_of(p)) / 4;
}

/// Half a step: less would hardly ever leave the start's value.
double least_sigma(const Parameter& p) {
  if (!p.is_discrete()) return 0;
  const ValueGrid grid = grid_of(p);
  return grid.step_at(grid.cell(start_in_u(p))) / 2;
}

Bounds bounds_in_u(const Space& space, const std::vector<Index>& searched) {
  const auto n = static_cast<Index>(searched.size());
  Bounds bounds{Vector::Constant(n, -unlimited), Vector::Constant(n, unlimited)};
  for (Index k = 0; k < n; ++k) {
    const Parameter& p = space[searched[static_cast<std::size_t>(k)]];
    if (p.is_discrete()) continue;
    bounds.lower[k] = scaled(p, p.low);
    bounds.upper[k] = scaled(p, p.high);
  }
  return bounds;
}

Box box_of(const Space& space, const Start& start) {
  const std::vector<Index> searched = searched_parameters(space);
  if (searched.empty()) return {Bounds{}, Vector::Zero(1), Sigma0(1.0)};
  if (start.factor || start.direction) return {bounds_in_u(space, searched), start};
  return {bounds_in_u(space, searched), start.mean, Sigma0(start.deviations)};
}

/// What is said about deviations that were too small.
std::string note_about(const Space& space) {
  std::string note;
  for (const Parameter& p : space.parameters()) {
    if (!p.is_discrete() || p.is_fixed() || !p.sigma || sigma_in_u(p) >= least_sigma(p)) continue;
    note += "; sigma of " + p.name + " was raised to half a step";
  }
  return note;
}

Space checked_space(Space space) {
  if (space.empty()) throw std::invalid_argument("space: it has no parameters");
  const auto& all = space.parameters();
  if (std::all_of(all.begin(), all.end(), [](const Parameter& p) { return p.is_fixed(); })) {
    throw std::invalid_argument("space: all parameters are fixed; at least one must be free");
  }
  return space;
}

double fixed_value(const Parameter& p) {
  switch (p.kind) {
    case Parameter::Kind::choice: return p.start.value_or(0);
    case Parameter::Kind::grid: return p.values.front();
    case Parameter::Kind::fixed: return *p.start;
    default: return p.low;
  }
}

/// The middle of two limits on a log scale, sqrt(low high). Where it has few digits, the last ones are rounding errors:
/// the middle of 1e-8 and 1e-4 is 1e-6.
double log_middle(double low, double high) {
  constexpr int digits = 15;
  std::array<char, 40> buffer{};
  const double root = std::sqrt(low) * std::sqrt(high);
  const auto end = std::to_chars(buffer.begin(), buffer.end(), root, std::chars_format::scientific, digits - 1).ptr;
  double middle = root;
  std::from_chars(buffer.begin(), end, middle);
  constexpr std::size_t clearly = 6;  // characters
  return text(middle).size() + clearly <= text(root).size() ? middle : root;
}

/// The user's point of a mean in u.
Vector point_at(const Space& space, const Vector& u) {
  Vector point(space.size());
  Index k = 0;
  for (Index j = 0; j < space.size(); ++j) {
    const Parameter& p = space[j];
    if (p.is_fixed() || p.kind == Parameter::Kind::choice) {
      point[j] = fixed_value(p);
      continue;
    }
    const double x = u[k++];
    if (p.is_discrete()) {
      const ValueGrid grid = grid_of(p);
      point[j] = grid.value(grid.cell(x));
    } else {
      // The start itself, not what exp makes of its logarithm.
      const double start = p.start ? *p.start : log_middle(p.low, p.high);
      const bool is_start = p.log && start_in_u(p) == x;
      point[j] = std::clamp(is_start ? start : (p.log ? elementary::exp(x) : x), p.low, p.high);
    }
  }
  return point;
}

}  // namespace

std::vector<Index> searched_parameters(const Space& space) {
  std::vector<Index> searched;
  for (Index j = 0; j < space.size(); ++j) {
    if (!space[j].is_fixed() && space[j].kind != Parameter::Kind::choice) searched.push_back(j);
  }
  return searched;
}

Start default_start(const Space& space) {
  const std::vector<Index> searched = searched_parameters(space);
  const auto n = static_cast<Index>(searched.size());
  Start start{Vector(n), Vector(n)};
  for (Index k = 0; k < n; ++k) {
    const Parameter& p = space[searched[static_cast<std::size_t>(k)]];
    start.mean[k] = start_in_u(p);
    start.deviations[k] = std::max(sigma_in_u(p), least_sigma(p));
  }
  return start;
}

SpaceDomain::SpaceDomain(const Space& space) : SpaceDomain(space, default_start(space), {}) {}

SpaceDomain::SpaceDomain(Space space, const Start& start, std::vector<Vector> probabilities)
    : space_(checked_space(std::move(space))),
      searched_(searched_parameters(space_)),
      box_(box_of(space_, start)),
      user_start_(point_at(space_, start.mean)),
      is_real_(static_cast<std::size_t>(box_.search_dimension()), false),
      probabilities_(std::move(probabilities)) {
  set_note(note_about(space_));
  for (Index j = 0; j < space_.size(); ++j) {
    const Parameter& p = space_[j];
    if (p.kind != Parameter::Kind::choice || p.is_fixed()) continue;
    if (!p.start && choices_.size() < probabilities_.size() && probabilities_[choices_.size()].size() > 0) {
      Index favourite = 0;
      probabilities_[choices_.size()].maxCoeff(&favourite);
      user_start_[j] = static_cast<double>(favourite);
    }
    choices_.push_back(j);
    choice_sizes_.push_back(static_cast<Index>(p.choices.size()));
  }
  for (std::size_t k = 0; k < searched_.size(); ++k) {
    const Parameter& p = space_[searched_[k]];
    is_real_[k] = !p.is_discrete();
    const auto coordinate = static_cast<Index>(k);
    if (p.is_discrete()) discrete_.push_back({coordinate, box_.unit(coordinate), grid_of(p)});
  }
}

const Matrix& SpaceDomain::to_user(const Matrix& points, Matrix& room) const {
  Matrix own;
  const Matrix& u = box_.to_user(points, own);
  room.resize(space_.size(), points.cols());
  for (Index i = 0; i < points.cols(); ++i) {
    room.col(i) = user_start_;
    auto discrete = discrete_.begin();
    for (std::size_t k = 0; k < searched_.size(); ++k) {
      const Parameter& p = space_[searched_[k]];
      double& x = room(searched_[k], i);
      x = u(static_cast<Index>(k), i);
      if (p.is_discrete()) {
        x = discrete->grid.value(discrete->grid.cell(x));
        ++discrete;
      } else if (p.log) {
        x = std::clamp(elementary::exp(x), p.low, p.high);
      }
    }
  }
  return room;
}

Vector SpaceDomain::to_user(const Vector& point) const {
  Matrix room;
  return to_user(Matrix(point), room).col(0);
}

Vector SpaceDomain::to_search(const Vector& user) const {
  if (is_hidden()) return Vector::Zero(1);
  Vector u(search_dimension());
  for (std::size_t k = 0; k < searched_.size(); ++k) {
    u[static_cast<Index>(k)] = scaled(space_[searched_[k]], user[searched_[k]]);
  }
  return box_.to_search(u);
}

Vector SpaceDomain::user_deviations(Vector deviations) const {
  const Vector u = box_.user_deviations(std::move(deviations));
  Vector all = Vector::Zero(space_.size());
  for (std::size_t k = 0; k < searched_.size(); ++k) {
    const double deviation = u[static_cast<Index>(k)];
    all[searched_[k]] = space_[searched_[k]].log ? elementary::exp(deviation) : deviation;
  }
  return all;
}

Start SpaceDomain::user_distribution(Start distribution) const {
  return box_.user_distribution(std::move(distribution));
}

double SpaceDomain::lower(Index j) const {
  const Parameter& p = space_[j];
  if (p.is_fixed()) return fixed_value(p);
  if (p.kind == Parameter::Kind::choice) return 0;
  return p.log ? std::max(0.0, low_of(p)) : low_of(p);
}

double SpaceDomain::upper(Index j) const {
  const Parameter& p = space_[j];
  if (p.is_fixed()) return fixed_value(p);
  if (p.kind == Parameter::Kind::choice) return static_cast<double>(p.choices.size() - 1);
  return high_of(p);
}

/// Uniform between two finite limits, around the first start elsewhere.
Vector SpaceDomain::restart_mean(const Vector& z) const {
  if (is_hidden()) return Vector::Zero(1);
  const Start first = box_.start();
  Matrix room;
  Vector u = box_.to_user(Matrix(first.mean + first.deviations.cwiseProduct(z)), room).col(0);
  for (std::size_t k = 0; k < searched_.size(); ++k) {
    const Parameter& p = space_[searched_[k]];
    const double low = scaled(p, low_of(p));
    const double high = scaled(p, high_of(p));
    const auto i = static_cast<Index>(k);
    if (std::isfinite(low) && std::isfinite(high)) u[i] = low + (high - low) * uniform_of(z[i]);
  }
  return box_.to_search(u);
}

bool SpaceDomain::excess(const Matrix& points, const Vector& deviations, Vector& squares) const {
  return box_.excess(points, deviations, squares);
}

/// A coordinate without a meaning would wander off.
bool SpaceDomain::correction(const Distribution& distribution, Vector& shift, Vector& factors) const {
  if (!is_hidden()) return box_.correction(distribution, shift, factors);
  distribution.deviations(factors);
  if (!distribution.is_finite() || !(factors[0] > 0)) return false;
  shift = -distribution.mean();
  factors = factors.cwiseInverse();
  return true;
}

void SpaceDomain::visit(StateVisitor& visitor) const {
  require_same(visitor, "space", space_.text());
  box_.visit(visitor);
}

std::string SpaceDomain::name(Index k) const {
  return is_hidden() ? "none" : space_[searched_[static_cast<std::size_t>(k)]].name;
}

void SpaceDomain::put_choices(const Matrix& choices, Matrix& user) const {
  for (std::size_t n = 0; n < choices_.size(); ++n) user.row(choices_[n]) = choices.row(static_cast<Index>(n));
}

Matrix SpaceDomain::choices_of(const Matrix& user) const {
  Matrix choices(static_cast<Index>(choices_.size()), user.cols());
  for (std::size_t n = 0; n < choices_.size(); ++n) choices.row(static_cast<Index>(n)) = user.row(choices_[n]);
  return choices;
}

void SpaceDomain::put_doubts(const Vector& doubts, Vector& deviations) const {
  for (std::size_t n = 0; n < choices_.size(); ++n) deviations[choices_[n]] = doubts[static_cast<Index>(n)];
}

std::string SpaceDomain::label(const std::string& option, Index j) const { return option + ": " + space_[j].name; }

std::string SpaceDomain::objection(Index j, double x) const {
  const Parameter& p = space_[j];
  if (p.kind == Parameter::Kind::choice) return std::floor(x) == x ? "" : "it must be the number of a value";
  if (p.log && !(x > 0)) return "on a log scale it must be positive";
  if (!p.is_discrete() || p.is_fixed()) return {};
  const ValueGrid grid = grid_of(p);
  if (grid.value(grid.cell(scaled(p, x))) == x) return {};
  return p.kind == Parameter::Kind::integer ? "it must be an integer" : "it must be a value of the grid";
}

}  // namespace surefoot
