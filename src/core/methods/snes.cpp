#include "core/methods/snes.hpp"

#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "core/methods/diagonal_step.hpp"
#include "core/methods/rate_measures.hpp"

namespace surefoot {
namespace {

LearningRateContext rate_context(const StrategyContext& context, double mu_w) {
  return {context.start.dimension(), *context.popsize, mu_w, context.observed, true};
}

/// The method's constants are rates that never change; a policy sets rates of its own.
std::unique_ptr<LearningRatePolicy> policy_of(const StrategyContext& context, const SnesConstants& constants,
                                              double mu_w) {
  if (context.learning_rate.text() == "auto") return nullptr;
  if (constants.eta_m || constants.eta_sigma) {
    reject("learning_rate", "'" + context.learning_rate.text() + "'",
           "method snes has rates as constants already; give one or the other");
  }
  return context.learning_rate.make(rate_context(context, mu_w));
}

LearningRates constant_rates(const StrategyContext& context, const SnesConstants& constants, double mu_w) {
  const LearningRates standard = default_learning_rates(rate_context(context, mu_w));
  const double eta_m = require_positive("method snes: eta_m", constants.eta_m.value_or(standard.mean));
  const double eta_sigma = require_positive("method snes: eta_sigma", constants.eta_sigma.value_or(standard.sigma));
  return {eta_m, eta_sigma, eta_sigma};
}

class DiagonalSamples final : public RankedSamples {
 public:
  DiagonalSamples(const Normal<DiagonalShape>& normal, const Matrix& x, const Ranking& ranking)
      : normal_(normal), x_(x), ranking_(ranking) {}

  void scales(Vector& out) const override { out = normal_.sigma * normal_.shape.s; }
  void squared_lengths(const Vector& c, Vector& out) const override {
    out.resize(x_.cols());
    for (Index k = 0; k < out.size(); ++k) {
      const auto x = x_.col(ranking_.order()[static_cast<std::size_t>(k)]);
      const auto z = (x - normal_.mean).array() / (normal_.sigma * normal_.shape.s.array());
      out[k] = (c.array() * z.square()).sum();
    }
  }

 private:
  const Normal<DiagonalShape>& normal_;
  const Matrix& x_;
  const Ranking& ranking_;
};

}  // namespace

Slots slots_of(SnesConstants& c) { return {{"eta_m", {&c.eta_m}}, {"eta_sigma", {&c.eta_sigma}}}; }

Snes::Snes(const StrategyContext& context, const SnesConstants& constants)
    : Sampler(context.start, *context.popsize, Mirroring::none, context.executor),
      weights_(rank_weights(popsize())),
      policy_(policy_of(context, constants, weights_.mu_w)),
      rates_(policy_ ? policy_->first() : constant_rates(context, constants, weights_.mu_w)),
      w_(popsize()) {
  if (!policy_) return;
  delta_.resize(normal_.dimension());
  G_.resize(normal_.dimension());
}

/// G_delta = sum_i w_i z_i and G = sum_i w_i (z_i z_i - 1) = sum_i w_i z_i z_i, since the weights sum to zero; weights
/// of another sum would leave - sum_i w_i. What all standard deviations have in common, G_sigma, the mean of G, goes to
/// sigma.
void Snes::learn(const Ranking& ranking, const Vector& /*values*/) {
  ranking.assign(weights_.w, w_);
  if (policy_) {
    rates_ = policy_->revised(rates_, DiagonalSamples(normal_, population_.x, ranking));
    move_with_policy();
  } else {
    move_with_constant_rates();
  }
}

/// Block by block, so that nothing of the number of coordinates is stored but the state.
void Snes::move_with_constant_rates() {
  const LearningRates& eta = rates_;
  Normal<DiagonalShape>& normal = normal_;
  const double sum = blocks_.sum([&](const Block& block) {
    auto of_block = population_.sums(w_, normal, block);
    auto s = block.of(normal.shape.s);
    block.of(normal.mean) += (eta.mean * normal.sigma) * s * of_block.first;
    const double sum_of_block = of_block.second.sum();
    of_block.second *= eta.sigma / 2;
    elementary::exp_all(of_block.second.data(), block.size);
    s *= of_block.second;
    return sum_of_block;
  });
  const double common = elementary::exp(eta.sigma / 2 * sum / static_cast<double>(normal.dimension()));
  normal.sigma *= common;
  blocks_.each([&](const Block& block) { block.of(normal.shape.s) /= common; });
}

/// Step size and shape have rates of their own (docs/explanation/theory.md). The policy sees the step before it is
/// applied.
void Snes::move_with_policy() {
  const LearningRates eta = rates_;
  Normal<DiagonalShape>& normal = normal_;
  population_.sums(w_, normal, blocks_, delta_, G_);
  const double G_sigma = G_.mean();
  DiagonalStep step(G_, G_sigma, eta.B);
  const Matrix none;  // neither samples nor a matrix of axes exist
  rates_ = policy_->next({eta, {none, w_, delta_, G_sigma}, step, none});

  blocks_.each([&](const Block& block) {
    auto s = block.of(normal.shape.s);
    block.of(normal.mean) += (eta.mean * normal.sigma) * s * block.of(delta_);
    BlockArray growth = eta.B / 2 * (block.of(G_) - G_sigma);
    elementary::exp_all(growth.data(), block.size);
    s *= growth;
  });
  normal.sigma *= elementary::exp(eta.sigma / 2 * G_sigma);
}

void Snes::report(Measures& measures) const {
  if (!policy_) {
    measures.add("eta_m", rates_.mean);
    measures.add("eta_sigma", rates_.sigma);
    return;
  }
  add_rates(rates_, measures);
  if (const auto path = policy_->path()) {
    measures.add("l_theta", path->l_theta);
    measures.add("gamma", path->gamma);
  }
}

void Snes::visit_rest(StateVisitor& visitor) {
  if (!policy_) return;
  visit_rates(visitor, rates_);
  policy_->visit(visitor);
}

}  // namespace surefoot
