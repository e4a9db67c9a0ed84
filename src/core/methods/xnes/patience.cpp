#include "core/methods/xnes/patience.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"

namespace surefoot {

Patience::Patience(const IgConstants& constants, Index dimension, Index popsize, std::optional<std::int64_t> budget)
    : constants_(constants),
      d_(static_cast<double>(dimension)),
      fewest_to_probe_(constants.fewest_to_probe * static_cast<double>(popsize)),
      plan_length_(static_cast<double>(budget.value_or(0))),
      patience_(constants.patience * d_) {}

/// A probe holds while sigma is between the two scales that it compared; that ground is rugged, for a quarter of the
/// plan only, lest an error sends a random walk far away.
double Patience::urgency(double gate, double sigma) {
  const IgConstants& c = constants_;
  const bool is_outdated = is(Ground::rugged) && told_ - ground_told_ > plan_length_ / 4;
  if (is_outdated || sigma < c.probe_scale * ground_sigma_) ground_ = 0;
  const double u = is(Ground::noisy) ? 0 : planned_urgency();
  if (u > c.kappa_min && gate <= std::min(c.doubtful_gate, u) && is(Ground::unknown)) begin_probe();

  const double ln_sigma = elementary::log(sigma);
  if (gate > c.shut_gate || u >= c.doubtful_gate) watch(ln_sigma);
  if (stands_still(ln_sigma)) probing_ = 1;
  return u;
}

/// By the rest of the plan, but never less than half of it: haste at the end would lose what patience has gained.
/// It is 0 for a plan of 20000 d or more.
double Patience::planned_urgency() const {
  const IgConstants& c = constants_;
  if (plan_length_ == 0) return 0;
  const double left = std::max(plan_length_ - (told_ - plan_begin_), plan_length_ / 2);
  return std::max(0.0, c.urgent_budget * d_ / left - c.urgency_offset);
}

/// Whether ln sigma has fallen too little for the time that it was watched.
bool Patience::stands_still(double ln_sigma) const {
  const IgConstants& c = constants_;
  const double waited = told_ - watched_since_;
  return waited >= patience_ && watched_from_ - ln_sigma < c.standstill * waited / (c.patience * d_);
}

void Patience::watch(double ln_sigma) {
  watched_since_ = told_;
  watched_from_ = ln_sigma;
}

void Patience::begin_probe() {
  if (plan_length_ >= fewest_to_probe_) probing_ = 1;
}

/// A sequential test [Wald1945] between information 0 and information that opens the gate.
void Patience::probe(double information, double sigma) {
  const IgConstants& c = constants_;
  evidence_ += information - (c.threshold + c.range / 2);
  if (evidence_ > c.sure) conclude(Ground::rugged, sigma);
  if (evidence_ < -c.sure) conclude(Ground::noisy, sigma);
}

/// Where sigma does not change, ruggedness ends patience: from here on as if a short budget were given. On noise
/// patience doubles.
void Patience::conclude(Ground ground, double sigma) {
  const double ln_sigma = elementary::log(sigma);
  if (stands_still(ln_sigma) && ground == Ground::rugged) {
    plan_begin_ = told_;
    plan_length_ = constants_.patience * d_;
  } else if (stands_still(ln_sigma)) {
    patience_ *= 2;
  }
  ground_ = static_cast<std::int64_t>(ground);
  ground_sigma_ = sigma;
  ground_told_ = told_;
  probing_ = 0;
  evidence_ = 0;
  watch(ln_sigma);
}

void Patience::visit(StateVisitor& visitor) {
  visitor.scalar("told", told_);
  visitor.scalar("plan begin", plan_begin_);
  visitor.scalar("plan length", plan_length_);
  visitor.scalar("patience", patience_);
  visitor.scalar("watched since", watched_since_);
  visitor.scalar("watched from", watched_from_);
  visitor.integer("probing", probing_);
  visitor.scalar("evidence", evidence_);
  visitor.integer("ground", ground_);
  visitor.scalar("ground sigma", ground_sigma_);
  visitor.scalar("ground told", ground_told_);
}

}  // namespace surefoot
