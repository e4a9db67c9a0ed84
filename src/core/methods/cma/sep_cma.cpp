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
    : Sampler(context.start, *context.popsize),
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
  auto& [m, sigma, shape] = normal_;
  ranking.assign(c.w, w_);
  population_.sums(w_, normal_, mean_, squares_);
  ++g_;

  cumulate(c.c_sigma, c.mu_eff, mean_, p_sigma_);
  mean_.array() *= shape.s.array();  // y_w from here on
  m += sigma * mean_;
  sigma *= elementary::exp(c.c_sigma / c.d_sigma * (p_sigma_.norm() / chi_ - 1));

  const bool is_short = is_path_short(c.c_sigma, chi_, g_, p_sigma_);
  if (!is_short) mean_.setZero();
  cumulate(c.c_c, c.mu_eff, mean_, p_c_);
  const double delta = is_short ? 0 : c.c_c * (2 - c.c_c);
  const double decay = 1 + c.c_1 * delta - c.c_1 - c.c_mu;
  shape.s = (shape.s.array().square() * (decay + c.c_mu * squares_.array()) + c.c_1 * p_c_.array().square()).sqrt();
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
