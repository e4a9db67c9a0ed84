#include "core/methods/lm_ma_es.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/methods/cma/cumulation.hpp"
#include "core/visit_count.hpp"

namespace surefoot {
namespace {

/// ln(mu + 1/2) - ln i for the better half; for odd sizes some programs have another first term.
Vector weights_of(Index popsize) {
  const Index mu = popsize / 2;
  Vector w = Vector::Zero(popsize);
  for (Index i = 0; i < mu; ++i)
    w[i] = elementary::log(static_cast<double>(mu) + 0.5) - elementary::log(static_cast<double>(i + 1));
  return w / w.sum();
}

}  // namespace

Index LmMaEs::default_popsize(Index dimension) {
  return std::max(smallest_popsize(dimension),
                  std::min(surefoot::default_popsize(dimension), largest_popsize(dimension)));
}

LmMaEs::LmMaEs(const StrategyContext& context)
    : Sampler(context.start, *context.popsize, Mirroring::none, context.executor),
      weights_(weights_of(popsize())),
      mu_w_(1 / weights_.squaredNorm()),
      c_s_(2 * static_cast<double>(popsize()) / static_cast<double>(normal_.dimension())),
      c_c_(surefoot::default_popsize(normal_.dimension())),
      p_sigma_(Vector::Zero(normal_.dimension())),
      w_(popsize()) {
  for (Index j = 0; j < c_c_.size(); ++j) c_c_[j] = c_s_ / 2 * elementary::pow(4, -static_cast<double>(j));
  normal_.shape.M.setZero(normal_.dimension(), c_c_.size());
}

/// The mean of z follows from that of x, because A is linear: the population is stored once.
void LmMaEs::learn(const Ranking& ranking, const Vector& /*values*/) {
  Vector& m = normal_.mean;
  double& sigma = normal_.sigma;
  auto& shape = normal_.shape;
  ranking.assign(weights_, w_);
  y_.resize(m.size());
  blocks_.each([&](const Block& block) {
    auto y = block.of(y_);
    y.matrix().noalias() = population_.x.middleRows(block.begin, block.size) * w_;
    y = (y - block.of(m)) / sigma;
  });
  z_ = y_;
  shape.solve(z_);

  m += sigma * y_;
  cumulate(c_s_, mu_w_, z_.col(0), p_sigma_);
  blocks_.each([&](const Block& block) {
    const auto z = z_.col(0).segment(block.begin, block.size);
    for (Index j = 0; j < c_c_.size(); ++j) {
      const double c = c_c_[j];
      auto M_j = shape.M.col(j).segment(block.begin, block.size);
      M_j = (1 - c) * M_j + std::sqrt(mu_w_ * c * (2 - c)) * z;
    }
  });
  sigma *= elementary::exp(c_s_ / 2 * (p_sigma_.squaredNorm() / static_cast<double>(m.size()) - 1));
  ++t_;
  shape.update(std::min<Index>(static_cast<Index>(t_), c_c_.size()), blocks_);
}

void LmMaEs::visit_rest(StateVisitor& visitor) {
  visitor.vector("p_sigma", p_sigma_);
  visit_count(visitor, "t", t_);
}

void LmMaEs::report(Measures& measures) const {
  measures.add("eta_m", 1);
  measures.add("eta_sigma", c_s_ / 2);
}

}  // namespace surefoot
