#include "core/methods/xnes/rates/geodesic_rates.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "core/ranking/random_ranking.hpp"

namespace surefoot {
namespace {

GeodesicRates checked(const GeodesicRates& c) {
  require_positive("learning_rate geodesic: alpha", c.alpha);
  require_fraction("learning_rate geodesic: beta", c.beta);
  require_positive("learning_rate geodesic: speed", c.speed);
  if (!(c.damping >= 0 && std::isfinite(c.damping))) {
    reject("learning_rate geodesic: damping", c.damping, "it must be a finite number >= 0; 0 switches it off");
  }
  return c;
}

}  // namespace

double signal_to_noise(const PathLength& path, double beta) {
  return (path.l_theta / path.gamma - 1) * beta / (2 - beta);
}

double steered_rate(double eta, double r, double alpha, double speed) {
  return eta * elementary::exp(speed * std::clamp(r / (alpha * eta) - 1, -1.0, 1.0));
}

GeodesicRatesPolicy::GeodesicRatesPolicy(const GeodesicRates& c, const LearningRateContext& context)
    : constants_(checked(c)),
      d_(static_cast<double>(context.dimension)),
      expected_sigma_(expected_sigma_square(context.mu_w)),
      expected_B_(expected_shape_square(context.dimension, context.mu_w)),
      first_(default_learning_rates(context.dimension)),
      range_(checked_range("learning_rate geodesic: eta", c.eta_min, c.eta_max, {first_.B, 1})),
      forgetting_{c.beta},
      p_B_(Matrix::Zero(context.dimension, context.dimension)),
      undamped_sigma_(first_.sigma) {}

LearningRates GeodesicRatesPolicy::next(const AppliedStep& step) {
  accumulate(step);
  if (constants_.rates == RateCoupling::separate) return separate_rates(step.rates);
  const double eta = steered(step.rates.B, l_theta_);
  return {step.rates.mean, eta, eta};
}

void GeodesicRatesPolicy::accumulate(const AppliedStep& step) {
  const Cumulation cumulation = forgetting_.cumulation(1);
  step.shape.add_gradient(cumulation, p_B_);
  p_sigma_ = cumulation.decay * p_sigma_ + cumulation.gain * step.gradient.sigma;
  gamma_ = forgetting_.average(gamma_, 1);

  // tr((p_sigma I + p_B)^2)/2 is the sum of both parts, because p_B has no trace.
  const double sigma_square = d_ / 2 * p_sigma_ * p_sigma_;
  const double B_square = p_B_.squaredNorm() / 2;
  l_sigma_ = sigma_square / expected_sigma_;
  l_B_ = expected_B_ > 0 ? B_square / expected_B_ : gamma_;  // at d = 1 there is no shape and no signal from it
  l_theta_ = (sigma_square + B_square) / (expected_sigma_ + expected_B_);
}

/// The step size follows the steepest axes and would shrink before the shape is learned. Damping holds it while the
/// shape still moves coherently.
LearningRates GeodesicRatesPolicy::separate_rates(const LearningRates& rates) {
  undamped_sigma_ = steered(undamped_sigma_, l_sigma_);
  const double damping = 1 + constants_.damping * std::max(0.0, l_B_ / gamma_ - 1);
  return {rates.mean, undamped_sigma_ / damping, steered(rates.B, l_B_)};
}

double GeodesicRatesPolicy::steered(double eta, double l) const {
  const double r = signal_to_noise({l, gamma_}, constants_.beta);
  return range_.clip(steered_rate(eta, r, constants_.alpha, constants_.speed));
}

void GeodesicRatesPolicy::visit(StateVisitor& visitor) {
  visitor.scalar("p_sigma", p_sigma_);
  visitor.matrix("p_B", p_B_);
  visitor.scalar("l_sigma", l_sigma_);
  visitor.scalar("l_B", l_B_);
  visitor.scalar("l_theta", l_theta_);
  visitor.scalar("gamma", gamma_);
  visitor.scalar("undamped eta_sigma", undamped_sigma_);
}

}  // namespace surefoot
