#include "core/methods/cma/self_cma.hpp"

#include <algorithm>
#include <cmath>

#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/dense_solvers.hpp"
#include "core/linear_algebra/products.hpp"
#include "core/methods/rate_measures.hpp"
#include "core/prefixed_visitor.hpp"

namespace surefoot {
namespace {

constexpr CmaRules self_rules = {.has_negative_weights = false, .first_exponent = 2};
constexpr Index thetas = 20;         // candidates of the second CMA-ES
constexpr double theta_sigma = 0.3;  // a third of the box
constexpr double largest_rate = 0.9;
// Generations of the second CMA-ES, far from those of the first and of other draws.
constexpr std::uint64_t theta_draw = std::uint64_t{1} << 46U;

Vector rates_of(const CmaConstants& c) { return Vector{{c.c_1, c.c_mu, c.c_c}}; }

/// How far outside of [0, 0.9]^3 with c_1 + c_mu <= 0.9; 0 inside.
double violation(const Vector& theta) {
  const double below = (-theta).cwiseMax(0).squaredNorm();
  const double above = (theta.array() - largest_rate).cwiseMax(0).square().sum();
  const double sum = std::max(0.0, theta[0] + theta[1] - largest_rate);
  return below + above + sum * sum;
}

void set_rates(const Vector& theta, CmaConstants& c) {
  c.c_1 = theta[0];
  c.c_mu = theta[1];
  c.c_c = theta[2];
}

}  // namespace

Index SelfCma::default_popsize(Index dimension) { return std::max<Index>(100, 5 * dimension); }

SelfCma::SelfCma(const StrategyContext& context)
    : Sampler(context.start, *context.popsize),
      constants_(cma_constants(normal_.dimension(), popsize(), self_rules)),
      state_(normal_),
      step_(normal_.dimension()),
      w_(popsize()),
      before_(state_),
      y_w_(Vector::Zero(normal_.dimension())),
      C_mu_(Matrix::Zero(normal_.dimension(), normal_.dimension())),
      theta_(Start{rates_of(constants_), Vector::Constant(3, theta_sigma)}),
      theta_constants_(cma_constants(3, thetas, self_rules)),
      theta_state_(theta_),
      theta_step_(3),
      thetas_(3, thetas),
      theta_ranking_(thetas),
      theta_w_(thetas),
      scores_(thetas),
      trial_(state_),
      cholesky_(normal_.dimension()),
      steps_(normal_.dimension(), popsize()),
      distances_(popsize()),
      distance_ranking_(popsize()) {
  step_.decompose(state_, normal_.shape);
  theta_step_.decompose(theta_state_, theta_.shape);
  use(theta_.mean);
}

/// The next update's rates, projected into the box.
void SelfCma::use(const Vector& theta) {
  Vector inside = theta.cwiseMax(0).cwiseMin(largest_rate);
  const double sum = inside[0] + inside[1];
  if (sum > largest_rate) inside.head(2) *= largest_rate / sum;
  set_rates(inside, constants_);
}

void SelfCma::draw_more(std::uint64_t generation, NormalSource& normals) {
  thetas_.sample(theta_, theta_draw + generation, normals);
}

/// The distances of the present candidates are measured from the mean that they were sampled from.
void SelfCma::learn(const Ranking& ranking, const Vector& /*values*/) {
  steps_ = population_.x.colwise() - normal_.mean;
  ranking.assign(constants_.w, w_);
  CmaState old = state_;
  step_.move(constants_, population_, w_, normal_, state_);
  if (!normal_.shape.is_finite()) return;
  step_.decompose(state_, normal_.shape);
  if (state_.g > 1) adapt_rates(ranking);

  old.h_sigma = state_.h_sigma;
  before_ = std::move(old);
  y_w_.noalias() = population_.y * w_;
  multiply_weighted(population_.y, w_, C_mu_);
}

/// One generation of the second CMA-ES. Infeasible rates come after all others, by their violation.
void SelfCma::adapt_rates(const Ranking& ranking) {
  for (Index j = 0; j < thetas; ++j) {
    const Vector theta = thetas_.x.col(j);
    const double outside = violation(theta);
    scores_[j] = outside > 0 ? static_cast<double>(popsize() + 1) + outside : rank_sum(theta, ranking);
  }
  theta_ranking_.sort(scores_);
  theta_ranking_.assign(theta_constants_.w, theta_w_);
  theta_step_(theta_constants_, thetas_, theta_w_, theta_, theta_state_);
  use(theta_.mean);
}

/// Repeats the last update of C with these rates, and sums up the weighted ranks that the best candidates have by
/// their Mahalanobis distance.
double SelfCma::rank_sum(const Vector& theta, const Ranking& ranking) {
  CmaConstants c = constants_;
  set_rates(theta, c);
  trial_ = before_;
  const double decay = cumulate_p_c(c, y_w_, trial_);
  trial_.C = decay * trial_.C + c.c_1 * product_transposed(trial_.p_c, trial_.p_c) + c.c_mu * C_mu_;
  cholesky_.compute(trial_.C);
  if (cholesky_.info() != Eigen::Success) return static_cast<double>(popsize() + 1);
  distances_ = lower_solution(cholesky_.matrixLLT(), steps_).colwise().squaredNorm().transpose();
  distance_ranking_.sort(distances_);

  Vector rank(popsize());
  for (Index r = 0; r < popsize(); ++r)
    rank[distance_ranking_.order()[static_cast<std::size_t>(r)]] = static_cast<double>(r + 1);
  double sum = 0;
  for (Index i = 0; i < popsize() / 2; ++i) sum += c.w[i] * rank[ranking.order()[static_cast<std::size_t>(i)]];
  return sum;
}

void SelfCma::scale_root() {
  step_.scale_root();
  step_.decompose(state_, normal_.shape);
}

void SelfCma::scale_coordinates(const Vector& factors) {
  state_.scale_coordinates(factors);
  before_.scale_coordinates(factors);
  y_w_.array() *= factors.array();
  C_mu_ = scaled_both(factors, C_mu_);
  step_.decompose(state_, normal_.shape);
}

void SelfCma::visit_rest(StateVisitor& visitor) {
  state_.visit(visitor);
  PrefixedVisitor record("before_", visitor);
  before_.visit(record);
  std::int64_t h_sigma = before_.h_sigma ? 1 : 0;
  record.integer("h_sigma", h_sigma);
  before_.h_sigma = h_sigma != 0;
  record.vector("y_w", y_w_);
  record.matrix("C_mu", C_mu_);
  PrefixedVisitor aux("aux_", visitor);
  theta_.visit(aux);
  theta_state_.visit(aux);
  Vector theta = rates_of(constants_);
  visitor.vector("theta", theta);
  set_rates(theta, constants_);
}

void SelfCma::report(Measures& measures) const {
  const CmaConstants& c = constants_;
  add_rates({c.c_m, c.c_sigma / c.d_sigma, c.c_1 + c.c_mu}, measures);
  measures.add("c_1", c.c_1);
  measures.add("c_mu", c.c_mu);
  measures.add("c_c", c.c_c);
}

}  // namespace surefoot
