#include "core/methods/cma/cma_constants.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"

namespace surefoot {
namespace {

/// w_i' = ln((popsize + 1)/2) - ln i.
Vector raw_weights(Index popsize) {
  Vector w(popsize);
  for (Index i = 0; i < popsize; ++i) {
    w[i] = elementary::log((static_cast<double>(popsize) + 1) / 2) - elementary::log(static_cast<double>(i + 1));
  }
  return w;
}

double effective_size(const Vector& w) { return w.sum() * w.sum() / w.squaredNorm(); }

/// The last term keeps C positive definite; the others keep the negative update from outweighing the positive one.
double negative_sum(double d, const CmaConstants& c) {
  return std::min({1 + c.c_1 / c.c_mu, 1 + 2 * c.mu_eff_minus / (c.mu_eff + 2), (1 - c.c_1 - c.c_mu) / (d * c.c_mu)});
}

/// A decomposition after more than popsize/(c_1 + c_mu)/d/10 evaluations [Hansen2016, app. B.2]: C has changed little
/// until then, and its O(d^3) becomes O(d^2) an evaluation.
Index decomposition_interval(double d, const CmaConstants& c) {
  return 1 + static_cast<Index>(1 / ((c.c_1 + c.c_mu) * d * 10));
}

}  // namespace

CmaConstants cma_constants(Index dimension, Index popsize, const CmaRules& rules) {
  const auto d = static_cast<double>(dimension);
  const Vector raw = raw_weights(popsize);
  const Vector better = raw.cwiseMax(0);
  const Vector worse = raw.cwiseMin(0);
  const double alpha = rules.alpha_cov;
  CmaConstants c{};
  c.rules = rules;
  const double mu_eff = c.mu_eff = effective_size(better);
  c.mu_eff_minus = effective_size(worse);
  c.c_m = 1;
  c.c_sigma = (mu_eff + 2) / (d + mu_eff + 5);
  c.d_sigma = 1 + 2 * std::max(0.0, std::sqrt((mu_eff - 1) / (d + 1)) - 1) + c.c_sigma;
  c.c_c = (4 + mu_eff / d) / (d + 4 + 2 * mu_eff / d);
  c.c_1 = alpha / ((d + 1.3) * (d + 1.3) + mu_eff);
  // 1e-8 below the limit, as the cmaes library has it: rounding must not turn negative weights into positive ones.
  c.c_mu = std::min(1 - c.c_1 - 1e-8, alpha * (mu_eff - 2 + 1 / mu_eff) / ((d + 2) * (d + 2) + alpha * mu_eff / 2));
  c.alpha_minus = rules.has_negative_weights ? negative_sum(d, c) : 0;
  c.w = better / better.sum() - c.alpha_minus * (worse / worse.sum());
  c.decompose_every = decomposition_interval(d, c);
  return c;
}

}  // namespace surefoot
