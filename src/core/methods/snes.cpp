#include "core/methods/snes.hpp"

#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

double default_eta_sigma(Index dimension) {
  const auto d = static_cast<double>(dimension);
  return (3 + elementary::log(d)) / (5 * std::sqrt(d));
}

}  // namespace

Slots slots_of(SnesConstants& c) { return {{"eta_m", {&c.eta_m}}, {"eta_sigma", {&c.eta_sigma}}}; }

Snes::Snes(const StrategyContext& context, const SnesConstants& constants)
    : Sampler(context.start, *context.popsize),
      weights_(rank_weights(popsize())),
      eta_m_(require_positive("method snes: eta_m", constants.eta_m)),
      eta_sigma_(require_positive("method snes: eta_sigma",
                                  constants.eta_sigma.value_or(default_eta_sigma(normal_.dimension())))),
      w_(popsize()) {}

/// G_m = sum_i w_i z_i and G_sigma = sum_i w_i (z_i z_i - 1), where the weights sum to zero; some coordinates at a
/// time, so that nothing of their number is stored but the state. What all standard deviations have in common goes to
/// sigma.
void Snes::learn(const Ranking& ranking, const Vector& /*values*/) {
  auto& [m, sigma, shape] = normal_;
  ranking.assign(weights_.w, w_);
  double sum = 0;
  for (Index begin = 0; begin < m.size(); begin += population_.block) {
    auto [at, G_m, G_sigma] = population_.sums(w_, normal_, begin);
    auto s = shape.s.segment(at, G_m.size()).array();
    m.segment(at, G_m.size()).array() += (eta_m_ * sigma) * s * G_m;
    sum += G_sigma.sum();
    G_sigma *= eta_sigma_ / 2;
    elementary::exp_all(G_sigma.data(), G_sigma.size());
    s *= G_sigma;
  }
  const double common = elementary::exp(eta_sigma_ / 2 * sum / static_cast<double>(m.size()));
  sigma *= common;
  shape.s /= common;
}

void Snes::report(Measures& measures) const {
  measures.add("eta_m", eta_m_);
  measures.add("eta_sigma", eta_sigma_);
}

}  // namespace surefoot
