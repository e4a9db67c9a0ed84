#include "core/methods/xnes/ig_xnes.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/expected_norm.hpp"
#include "core/linear_algebra/dot_product.hpp"
#include "core/linear_algebra/pack.hpp"
#include "core/linear_algebra/products.hpp"
#include "core/methods/rate_measures.hpp"
#include "core/visit_count.hpp"

namespace surefoot {
namespace {

/// Dimension of the symmetric matrices without trace.
double shape_dimension(double d) { return (d * d + d - 2) / 2; }

}  // namespace

IgXnes::IgXnes(const StrategyContext& context)
    : Sampler(context.start, *context.popsize, Mirroring::none, context.executor),
      weights_(untruncated_weights(popsize())),
      constants_(ig_constants(normal_.dimension(), weights_)),
      chi_(expected_norm(normal_.dimension())),
      L_min_(elementary::log(constants_.eta_m_min)),
      g_settled_(-20 / elementary::log(1 - constants_.c_sigma)),
      update_(make_shape_update(context.route, normal_.dimension(), popsize() + 1, blocks_.executor())),
      dense_(dynamic_cast<DenseUpdate*>(update_.get())),
      rates_{1, constants_.eta_sigma_max, constants_.eta_B_min},
      p_sigma_(Vector::Zero(normal_.dimension())),
      q_(Vector::Zero(normal_.dimension())),
      P_(Matrix::Zero(normal_.dimension(), normal_.dimension())),
      information_(constants_.threshold + constants_.range),
      eta_B_(constants_.eta_B_min),
      patience_(constants_, normal_.dimension(), popsize(), context.budget),
      w_(popsize()),
      v_(popsize()),
      squared_norms_(popsize()),
      delta_(normal_.dimension()),
      step_(normal_.dimension()) {
  const Index d = normal_.dimension();
  if (dense_ != nullptr) {
    G_.resize(d, d);
  } else {
    population_.z.resize(d, popsize() + 1);
    population_.y.resize(d, popsize() + 1);
    column_weights_.resize(popsize() + 1);
    weighted_z_.resize(d, popsize());
    dots_.resize(d);
  }
}

/// Of the low-rank route q is one more column of Z, and B q comes with B Z. The dense route does without them.
void IgXnes::sample(std::uint64_t generation, NormalSource& normals) {
  if (dense_ != nullptr) return Sampler::sample(generation, normals);
  auto& [z, y, x] = population_;
  normals.fill(generation, z.leftCols(popsize()));
  z.col(popsize()) = q_;
  multiply(normal_.shape.B, z, y, blocks_.executor());
  population_.place(normal_, sampling_scale());
}

void IgXnes::learn(const Ranking& ranking, const Vector& values) {
  patience_.count(values.size());
  ranking.assign_averaged(weights_.w, values, w_);
  const IgConstants& c = constants_;
  auto& [m, sigma, shape] = normal_;

  measure_gradient();
  if (patience_.is_probing()) return patience_.probe(information(0), sigma);
  const double u = patience_.urgency(gate(), sigma);
  move_gate(information(measure_shape_signal()), u);
  const double growth = follow_mean_path(std::min(1.0, u));
  const double sigma_gate = std::max(std::clamp(u, c.sigma_gate_min, 1.0), kappa_ * kappa_ * kappa_);
  const double eta_sigma_max = c.eta_sigma_max * std::clamp(c.urgent_sigma * std::sqrt(u), 1.0, c.urgent_sigma_max);
  rates_ = {std::max(c.eta_m_min, kappa_ * elementary::exp(L_)), sigma_gate * eta_sigma_max, kappa_ * eta_B_};

  multiply(population_.y, w_, step_);  // B G_delta = sum_i w_i y_i
  m += (rates_.mean * sigma) * step_;
  sigma *= elementary::exp(rates_.sigma / 2 * G_sigma_ + growth);
  if (m.size() > 1) {
    move_shape();
    adapt_shape_rate();
  }
}

/// G_delta, G_sigma, and the weights of the shape, which count a step with a negative weight as if it had the length of
/// an average one: isotropy keeps the expectation of the gradient 0 under a random ranking.
void IgXnes::measure_gradient() {
  const Matrix& z = population_.z;
  const auto d = static_cast<double>(z.rows());
  for (Index i = 0; i < w_.size(); ++i) squared_norms_[i] = z.col(i).squaredNorm();
  multiply(z, w_, delta_);
  G_sigma_ = w_.dot(squared_norms_) / d;
  for_all(w_.size(),
          [w = w_.data(), norms = squared_norms_.data(), v = v_.data(), d](auto real, Index i) SUREFOOT_KERNEL {
            using Real = typename decltype(real)::type;
            const Real weight = load<Real>(w + i);
            const Real norm = load<Real>(norms + i);
            store(v + i, ((weight < 0.0) & (norm > 0.0)) ? weight * d / norm : weight);
          });
}

/// <P, G_B> with the path of the shape before this generation, whose noise is independent of it: an estimate of the
/// squared length of the expected gradient that is 0 in expectation under a random ranking. Then adds G_B to the path.
double IgXnes::measure_shape_signal() {
  const Matrix& z = population_.z;
  const auto d = static_cast<double>(z.rows());
  const double b = constants_.b;
  double signal = 0;
  if (dense_ != nullptr) {
    multiply_weighted(z, v_, G_);
    signal = sum_of_terms(P_.size(), [b, P = P_.data(), G = G_.data()](auto real, Index i) SUREFOOT_KERNEL {
      using Real = typename decltype(real)::type;
      const Real old = load<Real>(P + i);
      const Real gradient = load<Real>(G + i);
      store(P + i, (1 - b) * old + b * gradient);
      return old * gradient;
    });
  } else {
    scale_columns(b, z, v_, weighted_z_);
    signal = accumulate_lower(1 - b, weighted_z_, z, P_, dots_, blocks_.executor()) / b;
  }
  P_.diagonal().array() -= b * v_.dot(squared_norms_) / d;
  if (z.rows() > 1) {
    const double snr = weights_.mu_w * signal / (2 * shape_dimension(d));
    shape_snr_ += 2 * b * (snr - shape_snr_);
  }
  return signal;
}

/// The share of the ranking that a local model explains, linear, isotropic quadratic and coherent in shape: 1 on a
/// linear function. Each part is a U-statistic, so under a random ranking it is 0 in expectation.
double IgXnes::information(double shape_signal) const {
  const auto d = static_cast<double>(delta_.size());
  const auto squared_w = w_.array().square();
  const double linear = delta_.squaredNorm() - (squared_w * squared_norms_.array()).sum();
  const double isotropic =
      d / 2 * (G_sigma_ * G_sigma_ - (squared_w * (squared_norms_.array() / d - 1).square()).sum());
  return weights_.mu_w * (linear + isotropic + shape_signal / 2) / constants_.A;
}

/// The average may be above what opens the gate: a dead band, in which noise slows nothing down. The narrower the gate,
/// the longer the average, as it would be in generations of a larger population. Urgency holds the gate open.
void IgXnes::move_gate(double information, double urgency) {
  const IgConstants& c = constants_;
  const double rate = std::max(c.beta, 1 / static_cast<double>(g_ + 10));
  information_ += kappa_ * rate * (information - information_);
  information_ = std::clamp(information_, c.threshold + c.kappa_min * c.range, 1.0);
  kappa_ = std::clamp(urgency, gate(), 1.0);
  ++g_;
}

/// What the average says of the gate.
double IgXnes::gate() const {
  const IgConstants& c = constants_;
  return std::clamp((information_ - c.threshold) / c.range, c.kappa_min, 1.0);
}

/// Steps that agree lengthen the path of the mean. It sets the rate of the mean first; only where that is at its
/// largest and the path significantly long does sigma grow. Urgency gives a share of the path to sigma at once, as in
/// CMA-ES. Returns ln of sigma's growth.
double IgXnes::follow_mean_path(double path_share) {
  const IgConstants& c = constants_;
  p_sigma_ = (1 - c.c_sigma) * p_sigma_ + std::sqrt(c.c_sigma * (2 - c.c_sigma) * weights_.mu_w) * delta_;
  const double length = p_sigma_.norm() / chi_;
  const double gain = c.c_sigma / c.d_sigma;
  L_ += (1 - path_share) * kappa_ * gain * (length - 1) / 2;
  double growth = path_share * kappa_ * gain * (length - 1);
  if (L_ > 0) {
    growth += (1 - path_share) * kappa_ * kappa_ * gain * std::max(0.0, length - 1 - c.significant);
    L_ = 0;
  }
  L_ = std::max(L_ * (1 - c.path_decay * path_share), L_min_);

  const auto g = static_cast<double>(g_);
  const double variance = g > g_settled_ ? 1 : 1 - elementary::pow(1 - c.c_sigma, 2 * g);
  q_ *= 1 - c.c_c;
  const bool is_long = !(length / std::sqrt(variance) < c.long_path);
  q_gain_ = is_long ? 0 : std::sqrt(c.c_c * (2 - c.c_c) * weights_.mu_w);
  q_ += q_gain_ * delta_;
  return growth;
}

/// B := B expm(S/2), S = kappa (eta_B G_B + c_1 (q q^T - |q|^2/d I)), and q := expm(-S/2) q, which keeps B q as it is.
void IgXnes::move_shape() {
  exponentiate_step();
  update_->transport(q_);
  update_->move(population_.y, normal_.shape);
}

/// The rank-one term of the low-rank route is that of its last column, to which B q moves as q has moved.
void IgXnes::exponentiate_step() {
  const double weight = kappa_ * constants_.c_1;
  if (dense_ != nullptr) return dense_->exponentiate_sum(rates_.B, G_, weight, q_);
  auto& [z, y, x] = population_;
  const Index n = w_.size();
  z.col(n) = q_;
  y.col(n) = (1 - constants_.c_c) * y.col(n) + q_gain_ * step_;
  column_weights_.head(n) = rates_.B * v_;
  column_weights_[n] = weight;
  update_->measure(z, column_weights_);
  update_->exponentiate(1);
}

/// eta_B follows the squared signal-to-noise ratio of the shape's steps, as in `geodesic`.
void IgXnes::adapt_shape_rate() {
  const IgConstants& c = constants_;
  const double change = std::clamp(shape_snr_ / (c.alpha_B * eta_B_) - 1, -1.0, 1.0);
  eta_B_ = std::clamp(eta_B_ * elementary::exp(c.speed_B * change), c.eta_B_min, c.eta_B_max);
}

void IgXnes::report(Measures& measures) const {
  add_rates(rates_, measures);
  measures.add("kappa", kappa_);
}

void IgXnes::visit_rest(StateVisitor& visitor) {
  visitor.scalar("eta_m", rates_.mean);
  visitor.scalar("eta_sigma", rates_.sigma);
  visitor.scalar("kappa_eta_B", rates_.B);
  visitor.scalar("eta_B", eta_B_);
  visitor.vector("p_sigma", p_sigma_);
  visitor.vector("q", q_);
  if (dense_ == nullptr) mirror_lower(P_);
  visitor.matrix("P", P_);
  visitor.scalar("r", shape_snr_);
  visitor.scalar("S", information_);
  visitor.scalar("kappa", kappa_);
  visitor.scalar("L", L_);
  visit_count(visitor, "g", g_);
  patience_.visit(visitor);
}

}  // namespace surefoot
