#include "core/methods/cma/cma.hpp"

#include "core/methods/rate_measures.hpp"

namespace surefoot {

Cma::Cma(const StrategyContext& context)
    : Sampler(context.start, *context.popsize),
      constants_(cma_constants(normal_.dimension(), popsize())),
      state_(normal_),
      step_(normal_.dimension()),
      w_(popsize()) {
  step_.decompose(state_, normal_.shape);
}

void Cma::learn(const Ranking& ranking, const Vector& /*values*/) {
  ranking.assign(constants_.w, w_);
  step_(constants_, population_, w_, normal_, state_);
}

void Cma::scale_root() {
  step_.scale_root();
  step_.decompose(state_, normal_.shape);
}

void Cma::scale_coordinates(const Vector& factors) {
  state_.scale_coordinates(factors);
  step_.decompose(state_, normal_.shape);
}

/// c_m, the rate of ln sigma and that of C.
void Cma::report(Measures& measures) const {
  const CmaConstants& c = constants_;
  add_rates({c.c_m, c.c_sigma / c.d_sigma, c.c_1 + c.c_mu}, measures);
}

}  // namespace surefoot
