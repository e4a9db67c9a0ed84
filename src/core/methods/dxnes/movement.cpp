#include "core/methods/dxnes/movement.hpp"

#include "core/expected_norm.hpp"
#include "core/invalid_option.hpp"
#include "core/methods/cma/cumulation.hpp"
#include "core/ranking/distance_weights.hpp"

namespace surefoot {

double mu_eff_of(Index popsize) {
  const Vector w = rank_weights(popsize).w;
  return 1 / (w.array() + 1 / static_cast<double>(popsize)).square().sum();
}

Movement::Movement(Index dimension, Index popsize, double c_sigma)
    : ranks_(rank_weights(popsize)),
      mu_eff_(mu_eff_of(popsize)),
      c_sigma_(c_sigma),
      chi_(expected_norm(dimension)),
      p_sigma_(Vector::Zero(dimension)),
      w_(popsize) {}

void Movement::rank(Ranking& ranking, const Vector& distances) {
  ranking.sort_infeasible(distances);
  ranking.assign(ranks_.w, w_);
}

Phase Movement::follow(const Vector& mean) {
  cumulate(c_sigma_, mu_eff_, mean, p_sigma_);
  const double length = p_sigma_.norm();
  if (length >= chi_) return phase_ = Phase::moving;
  return phase_ = length >= 0.1 * chi_ ? Phase::stagnating : Phase::converging;
}

void Movement::weigh_by_distance(const Ranking& ranking, const Vector& distances, double alpha) {
  assign_distance_weights(ranking, ranks_.w, distances, alpha, w_);
}

Phase Movement::weigh(const Matrix& z, Ranking& ranking, double alpha) {
  distances_ = z.colwise().norm().transpose();
  rank(ranking, distances_);
  mean_.noalias() = z * w_;
  if (follow(mean_) == Phase::moving) weigh_by_distance(ranking, distances_, alpha);
  return phase_;
}

void Movement::visit(StateVisitor& visitor) {
  auto phase = static_cast<std::int64_t>(phase_);
  visitor.vector("p_sigma", p_sigma_);
  visitor.integer("phase", phase);
  if (phase < 0 || phase > static_cast<std::int64_t>(Phase::converging)) {
    reject("checkpoint: phase", phase, "there is none of this number");
  }
  phase_ = static_cast<Phase>(phase);
}

}  // namespace surefoot
