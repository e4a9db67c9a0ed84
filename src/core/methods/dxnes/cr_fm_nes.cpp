#include "core/methods/dxnes/cr_fm_nes.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/geometric_mean.hpp"
#include "core/methods/cma/cumulation.hpp"
#include "core/methods/rate_measures.hpp"

namespace surefoot {
namespace {

constexpr std::uint64_t first_draw = (std::uint64_t{1} << 48U) - 1;  // of a generation that no run reaches

double rate_of_shape(Index dimension, Index feasible) {
  const auto d = static_cast<double>(dimension);
  return elementary::tanh((std::min(0.02 * static_cast<double>(feasible), 3 * elementary::log(d)) + 5) /
                          (0.23 * d + 25));
}

/// In standard deviations. Curved ridges have axes of some tens of them: there such terms reach ten in some searches,
/// and leaving out more would be another method. Axes of a hundred and more leave straight ridges by terms of two, and
/// are not finite some generations after ten.
double most_second_order(double length_of_v) { return std::clamp(100 / length_of_v, 1.0, 10.0); }

}  // namespace

CrFmNes::CrFmNes(const StrategyContext& context)
    : Sampler(context.start, *context.popsize, Mirroring::halves, context.executor),
      constants_(normal_.dimension(), popsize()),
      movement_(normal_.dimension(), popsize(), constants_.c_sigma()),
      p_c_(Vector::Zero(normal_.dimension())),
      distances_(popsize()),
      mean_(normal_.dimension()),
      squares_(normal_.dimension()),
      mixed_(normal_.dimension()),
      work_(normal_.dimension()) {}

/// A direction is needed for the gradient along it to exist: v ~ N(0, I/d).
void CrFmNes::begin(NormalSource& normals) {
  Vector& v = normal_.shape.v;
  if (v.squaredNorm() > 0) return;
  Eigen::Map<Matrix> column(v.data(), v.size(), 1);
  normals.fill(first_draw, column);
  v /= std::sqrt(static_cast<double>(v.size()));
}

void CrFmNes::learn(const Ranking& ranking, const Vector& /*values*/) {
  Vector& m = normal_.mean;
  double& sigma = normal_.sigma;
  auto& shape = normal_.shape;
  const auto d = static_cast<double>(m.size());
  const Index feasible = ranking.feasible();
  const Phase phase = weigh(feasible);
  eta_ = {1, constants_.eta_sigma(phase, feasible), rate_of_shape(m.size(), feasible)};

  const double c_c = constants_.c_c();
  const double gain = std::sqrt(c_c * (2 - c_c) * movement_.mu_eff());
  blocks_.each([&](const Block& block) {
    const BlockArray step = block.of(mean_) * block.of(shape.D);  // of the mean, in units of sigma
    block.of(m) += sigma * step;
    block.of(p_c_) = (1 - c_c) * block.of(p_c_) + gain * step;
  });
  move_shape(constants_.c_1(feasible) * (d - 5) / 6);  // negative below d = 5, as in the authors' program
  sigma *= elementary::exp(eta_.sigma / 2 * movement_.w().dot(population_.squares) / d);
}

/// The sums over the population with the weights of the phase, which follows from their first part: the path needs
/// z = y - (1 - 1/sqrt(1 + |v|^2)) v (v^T y)/|v|^2.
Phase CrFmNes::weigh(Index feasible) {
  const Vector& v = normal_.shape.v;
  distances_ = population_.squares.cwiseSqrt();
  movement_.rank(ranking_, distances_);
  population_.sums(movement_.w(), normal_, blocks_, mean_, squares_, mixed_);
  const double along = movement_.w().dot(population_.along) * v.norm();
  work_ = mean_ + (normal_.shape.share_of_inverse_root() * along) * v;
  const Phase phase = movement_.follow(work_);
  if (phase == Phase::moving) {
    movement_.weigh_by_distance(ranking_, distances_, constants_.alpha(feasible));
    population_.sums(movement_.w(), normal_, blocks_, mean_, squares_, mixed_);
  }
  return phase;
}

/// The natural gradient of D and v [NomuraOno2022b], for the population with the rate eta_B and for the path p_c with
/// the rate c_1. It is linear in s and t, so their sums are transformed, not the parts of each candidate.
///
/// Two limits are ours. D may not change its sign: its factor 1 + s is kept within 1/2 and 2. And where |v| is large,
/// D and v move against each other, so that the long axis D v nearly stays; what is left is D s dv, of second order.
/// In a coordinate in which that would be longer than most_second_order(|v|) the axis moves by the terms of first order
/// alone. Without this the axis leaves its ridge, and some generations later nothing is finite.
void CrFmNes::move_shape(double c_1) {
  Vector& D = normal_.shape.D;
  Vector& v = normal_.shape.v;
  const double n = v.squaredNorm();
  const double g = 1 + n;
  work_ = v / std::sqrt(n);
  Vector& u = work_;
  Vector& s = squares_;
  Vector& t = mixed_;
  Vector& path = mean_;  // p_c as a candidate
  const auto& w = movement_.w();

  const double along = blocks_.sum([&](const Block& at) {
    at.of(path) = at.of(p_c_) / at.of(D);
    return (at.of(u) * at.of(path)).sum();
  });
  const double along_squares = eta_.B * w.dot(population_.along.cwiseAbs2()) + c_1 * along * along;
  const double ut = blocks_.sum([&](const Block& at) {
    at.of(t) = eta_.B * at.of(t) + (c_1 * along) * at.of(path);
    at.of(s) = eta_.B * at.of(s) + c_1 * at.of(path).square() - (n / g) * at.of(u) * at.of(t) - c_1;
    at.of(t) -= (along_squares + c_1 * g) / 2 * at.of(u);
    return (at.of(u) * at.of(t)).sum();
  });

  const double a = std::min(1.0, std::sqrt(n * n + (2 * g - std::sqrt(g)) / u.cwiseAbs2().maxCoeff()) / (2 + n));
  const double b = -(1 - a * a) * n * n / g + 2 * a * a;
  const auto H = [&](const Block& at) { return 2 - (b + 2 * a * a) * at.of(u).square(); };
  const auto of_H = blocks_.sums(2, [&](const Block& at, auto part) {
    at.of(s) -= a / g * ((2 + n) * at.of(u) * at.of(t) - (n * ut) * at.of(u).square());
    part[0] = (at.of(s) * at.of(u).square() / H(at)).sum();
    part[1] = (at.of(u).square().square() / H(at)).sum();
  });
  const double share = b * of_H[0] / (1 + b * of_H[1]);
  const double us = blocks_.sum([&](const Block& at) {
    at.of(s) = (at.of(s) - share * at.of(u).square()) / H(at);
    return (at.of(u).square() * at.of(s)).sum();
  });
  const double limit = most_second_order(std::sqrt(n));
  const auto logs = blocks_.sums(2, [&](const Block& at, auto part) {
    at.of(t) -= a * ((2 + n) * at.of(u) * at.of(s) - us * at.of(u));
    const BlockArray dv = at.of(t) / std::sqrt(n);
    const BlockArray factor = (1 + at.of(s)).max(0.5).min(2.0);
    const auto axis = at.of(v) * (1 + at.of(s)) + dv;  // in units of the old D
    at.of(v) = ((at.of(s) * dv).abs() > limit).select(axis / factor, at.of(v) + dv);
    at.of(D) *= factor;
    part[0] = elementary::mean_log(D.data() + at.begin, at.size) * static_cast<double>(at.size);
    part[1] = at.of(v).square().sum();
  });
  const double root = elementary::exp((logs[0] + elementary::log1p(logs[1]) / 2) / static_cast<double>(D.size()));
  blocks_.each([&](const Block& at) { at.of(D) /= root; });
}

void CrFmNes::scale_coordinates(const Vector& factors) {
  const double common = geometric_mean(factors);
  normal_.scale_coordinates(factors);
  p_c_.array() *= factors.array() / common;
}

void CrFmNes::report(Measures& measures) const { add_rates(eta_, measures); }

void CrFmNes::visit_rest(StateVisitor& visitor) {
  visit_rates(visitor, eta_);
  movement_.visit(visitor);
  visitor.vector("p_c", p_c_);
}

}  // namespace surefoot
