#pragma once

#include "driver/domain/domain.hpp"
#include "search/stop/stop.hpp"
#include "surefoot/distribution.hpp"
#include "surefoot/options.hpp"

namespace surefoot {

/// The criteria of a run that look at its distribution. Discrete parameters never converge in their sense: the margin
/// keeps their standard deviations up. What is said about coordinates is said about the real ones then.
class RunDeviations {
 public:
  /// `start` is the distribution that the run begins with. Options and domain must outlive it.
  RunDeviations(const Options& options, const Domain& domain, const Distribution& start);

  // Every generation.
  [[nodiscard]] static Stop non_finite(const Distribution& distribution);
  [[nodiscard]] Stop tolupsigma(double sigma) const;
  [[nodiscard]] Stop noeffectaxis(const Distribution& distribution, std::int64_t generation);

  // Now and then, because they pass over the shape.
  /// vanished, exploded, tolx, noeffectcoord.
  [[nodiscard]] Stop test(const Distribution& distribution);
  /// lost_rank, tolconditioncov; inverts the shape.
  [[nodiscard]] Stop condition(const Distribution& distribution) const;

  /// Whether the deviations of the real coordinates are below tolx times those of the start.
  [[nodiscard]] bool has_shrunk(const Distribution& distribution);

 private:
  [[nodiscard]] Stop vanished(const Vector& mean) const;
  [[nodiscard]] Stop exploded() const;
  [[nodiscard]] Stop tolx() const;
  [[nodiscard]] Stop noeffectcoord(const Vector& mean) const;
  [[nodiscard]] bool has_real_axis(const Distribution& distribution, const Vector& axis);
  /// Of the real coordinates, as a share of the start's.
  [[nodiscard]] double largest_ratio() const;
  [[nodiscard]] double largest_real_deviation() const;
  [[nodiscard]] double condition_of(const Distribution& distribution) const;

  const Options& options_;
  const Domain& domain_;
  bool has_real_;            // some parameters are real
  Vector start_deviations_;  // one number if they are all equal
  double start_sigma_;
  Vector deviations_;  // and before they are measured, an axis
};

}  // namespace surefoot
