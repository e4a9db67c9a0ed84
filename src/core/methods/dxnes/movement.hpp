#pragma once

#include "core/ranking/rank_weights.hpp"
#include "core/ranking/ranking.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// What the path of the mean tells about a distribution.
enum class Phase { moving, stagnating, converging };

/// 1/sum_i (w_i + 1/popsize)^2 of the weights by rank: without their negative part, unlike mu_w.
double mu_eff_of(Index popsize);

/// What DX-NES and its successors begin an update with [Fukushima2011]: a path of the mean, its length, and weights
/// that depend on it.
class Movement {
 public:
  Movement(Index dimension, Index popsize, double c_sigma);

  /// Orders the infeasible candidates by their distances |z_i| and gives every candidate the weight of its rank.
  void rank(Ranking& ranking, const Vector& distances);

  /// Adds sum_i w_i z_i, with the weights of the ranks, to the path. A path that is longer than under a random ranking
  /// moves; a tenth as long, it converges.
  Phase follow(const Vector& mean);

  /// Weights by distance, for a distribution that moves.
  void weigh_by_distance(const Ranking& ranking, const Vector& distances, double alpha);

  /// All of it for samples in memory, one per column.
  Phase weigh(const Matrix& z, Ranking& ranking, double alpha);

  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] double mu_eff() const { return mu_eff_; }
  /// The weight of each candidate, sampling order.
  [[nodiscard]] const Vector& w() const { return w_; }

  void visit(StateVisitor& visitor);

 private:
  RankWeights ranks_;
  double mu_eff_;
  double c_sigma_;
  double chi_;  // E|N(0, I)|
  Vector p_sigma_;
  Phase phase_ = Phase::stagnating;  // of the last generation, for observers

  // Workspace, kept so that a generation allocates nothing.
  Vector w_;
  Vector distances_;  // of weigh() only
  Vector mean_;       // of weigh() only
};

}  // namespace surefoot
