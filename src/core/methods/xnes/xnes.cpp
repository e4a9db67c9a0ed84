#include "core/methods/xnes/xnes.hpp"

#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/products.hpp"
#include "core/methods/rate_measures.hpp"

namespace surefoot {
namespace {

class FullSamples final : public RankedSamples {
 public:
  FullSamples(double sigma, const Matrix& z, const Ranking& ranking) : sigma_(sigma), z_(z), ranking_(ranking) {}

  void scales(Vector& out) const override { out.setConstant(1, sigma_); }
  void squared_lengths(const Vector& c, Vector& out) const override {
    out.resize(z_.cols());
    for (Index k = 0; k < out.size(); ++k) {
      out[k] = c[0] * z_.col(ranking_.order()[static_cast<std::size_t>(k)]).squaredNorm();
    }
  }

 private:
  double sigma_;
  const Matrix& z_;
  const Ranking& ranking_;
};

}  // namespace

Xnes::Xnes(const StrategyContext& context)
    : Sampler(context.start, *context.popsize, Mirroring::none, context.executor),
      weights_(rank_weights(popsize())),
      policy_(context.learning_rate.make({normal_.dimension(), popsize(), weights_.mu_w, context.observed})),
      rates_(policy_->first()),
      update_(make_shape_update(context.route, normal_.dimension(), popsize(), blocks_.executor())),
      w_(popsize()),
      delta_(normal_.dimension()),
      step_(normal_.dimension()) {}

/// The natural gradient, and a step along it. All right-hand sides use the old m, sigma and B. Weighting each candidate
/// by its rank's weight needs no sorted copy of the population.
void Xnes::learn(const Ranking& ranking, const Vector& /*values*/) {
  auto& [m, sigma, shape] = normal_;
  const auto& [z, y, x] = population_;
  ranking.assign(weights_.w, w_);

  rates_ = policy_->revised(rates_, FullSamples(sigma, z, ranking));
  multiply(z, w_, delta_);
  const NaturalGradient G{z, w_, delta_, update_->measure(z, w_)};
  update_->exponentiate(rates_.B);
  const LearningRates next_rates = policy_->next({rates_, G, *update_, shape.B});

  multiply(y, w_, step_);  // B G_delta = sum_i w_i y_i
  m += (rates_.mean * sigma) * step_;
  sigma *= elementary::exp(rates_.sigma / 2 * G.sigma);
  update_->move(y, shape);
  rates_ = next_rates;
}

void Xnes::report(Measures& measures) const {
  add_rates(rates_, measures);
  if (const auto path = policy_->path()) {
    measures.add("l_theta", path->l_theta);
    measures.add("gamma", path->gamma);
  }
}

void Xnes::visit_rest(StateVisitor& visitor) {
  visit_rates(visitor, rates_);
  policy_->visit(visitor);
}

}  // namespace surefoot
