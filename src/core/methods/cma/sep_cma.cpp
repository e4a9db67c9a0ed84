#include "core/methods/cma/sep_cma.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/expected_norm.hpp"
#include "core/methods/cma/cumulation.hpp"
#include "core/visit_count.hpp"

namespace surefoot {

/// c_mu is the whole rate c_cov of the paper, and c_1 is not accelerated: the cmaes library's split. The limit 1 - c_1
/// is not in the paper; without it C becomes negative in populations of more than about 8 d.
SepCmaConstants sep_cma_constants(Index dimension, Index popsize) {
  const auto d = static_cast<double>(dimension);
  const Index mu = popsize / 2;
  SepCmaConstants c{};
  c.w = Vector::Zero(popsize);
  for (Index i = 0; i < mu; ++i) {
    c.w[i] = elementary::log(static_cast<double>(mu + 1)) - elementary::log(static_cast<double>(i + 1));
  }
  c.w /= c.w.sum();
  const double mu_eff = c.mu_eff = 1 / c.w.squaredNorm();
  c.c_sigma = (mu_eff + 2) / (d + mu_eff + 3);
  c.d_sigma = 1 + 2 * std::max(0.0, std::sqrt((mu_eff - 1) / (d + 1)) - 1) + c.c_sigma;
  c.c_c = 4 / (d + 4);
  c.c_1 = 2 / ((d + 1.3) * (d + 1.3) + mu_eff);
  const double rank_one = 2 / ((d + std::sqrt(2.0)) * (d + std::sqrt(2.0)));
  const double rank_mu = std::min(1.0, (2 * mu_eff - 1) / ((d + 2) * (d + 2) + mu_eff));
  const double c_cov = (d + 2) / 3 * (rank_one / mu_eff + (1 - 1 / mu_eff) * rank_mu);
  c.c_mu = std::min(c_cov, 1 - c.c_1);
  return c;
}

SepCma::SepCma(const StrategyContext& context)
    : Sampler(context.start, *context.popsize, Mirroring::none, context.executor),
      constants_(sep_cma_constants(normal_.dimension(), popsize())),
      chi_(expected_norm(normal_.dimension())),
      p_sigma_(Vector::Zero(normal_.dimension())),
      p_c_(Vector::Zero(normal_.dimension())),
      w_(popsize()),
      mean_(normal_.dimension()),
      squares_(normal_.dimension()) {}

/// [RosHansen2008], with sums in z: y_i = s z_i, and C = s s.
void SepCma::learn(const Ranking& ranking, const Vector& /*values*/) {
  const SepCmaConstants& c = constants_;
  Vector& m = normal_.mean;
  double& sigma = normal_.sigma;
  auto& shape = normal_.shape;
  ranking.assign(c.w, w_);
  population_.sums(w_, normal_, blocks_, mean_, squares_);
  ++g_;

  const double path_gain = std::sqrt(c.c_sigma * (2 - c.c_sigma) * c.mu_eff);
  const double length = std::sqrt(blocks_.sum([&](const Block& at) {
    at.of(p_sigma_) = (1 - c.c_sigma) * at.of(p_sigma_) + path_gain * at.of(mean_);
    at.of(mean_) *= at.of(shape.s);  // y_w from here on
    at.of(m) += sigma * at.of(mean_);
    return at.of(p_sigma_).square().sum();
  }));
  sigma *= elementary::exp(c.c_sigma / c.d_sigma * (length / chi_ - 1));

  const bool is_short = is_path_short(c.c_sigma, chi_, g_, m.size(), length);
  const double gain = is_short ? std::sqrt(c.c_c * (2 - c.c_c) * c.mu_eff) : 0;
  const double delta = is_short ? 0 : c.c_c * (2 - c.c_c);
  const double decay = 1 + c.c_1 * delta - c.c_1 - c.c_mu;
  blocks_.each([&](const Block& at) {
    at.of(p_c_) = (1 - c.c_c) * at.of(p_c_) + gain * at.of(mean_);
    at.of(shape.s) =
        (at.of(shape.s).square() * (decay + c.c_mu * at.of(squares_)) + c.c_1 * at.of(p_c_).square()).sqrt();
  });
}

void SepCma::scale_coordinates(const Vector& factors) {
  normal_.shape.scale_rows(factors);
  p_c_.array() *= factors.array();
}

void SepCma::visit_rest(StateVisitor& visitor) {
  visitor.vector("p_sigma", p_sigma_);
  visitor.vector("p_c", p_c_);
  visit_count(visitor, "g", g_);
}

}  // namespace surefoot
