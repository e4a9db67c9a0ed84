#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// The normal distribution that a strategy samples from, as seen from outside.

#include "surefoot/start.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// N(m, sigma^2 A A^T). A strategy may store A as a matrix, a diagonal or less. Unless stated otherwise, nothing here
/// takes more memory than the strategy's own state.
class Distribution {
 public:
  Distribution() = default;
  Distribution(const Distribution&) = delete;
  Distribution(Distribution&&) = delete;
  Distribution& operator=(const Distribution&) = delete;
  Distribution& operator=(Distribution&&) = delete;
  virtual ~Distribution() = default;

  [[nodiscard]] Index dimension() const { return mean().size(); }
  [[nodiscard]] virtual const Vector& mean() const = 0;
  /// The step size. Natural evolution strategies keep det A = 1; in CMA-ES A has any determinant.
  [[nodiscard]] virtual double sigma() const = 0;

  /// How many numbers A is stored in, which is the cost of a pass over it.
  [[nodiscard]] virtual Index shape_size() const = 0;

  /// Standard deviations of the coordinates.
  virtual void deviations(Vector& out) const = 0;
  /// Column k of A: with sigma, one standard deviation along an axis. The axes span the searched space.
  virtual void axis(Index k, Vector& out) const = 0;

  /// Whether every number of the distribution is finite. O(d).
  [[nodiscard]] virtual bool is_finite() const = 0;

  /// |A|_F |A^-1|_F, from one to d times the condition of A; not finite if A is singular. Allocates nothing.
  [[nodiscard]] virtual double frobenius_condition() const = 0;

  /// Standard deviations along the principal axes, descending. O(d^3) for a full A, and O(d^2) memory. Axes shorter
  /// than 1e-8 times the longest are lost in rounding.
  [[nodiscard]] virtual Vector axis_lengths() const = 0;
  /// Condition number of the covariance, the squared ratio of the longest to the shortest axis. As costly as the
  /// lengths; accurate up to about 1e14.
  [[nodiscard]] virtual double condition() const = 0;

  /// Replaces points, one per column, by z = (sigma A)^-1 (x - m), which is standard normal where x is a sample.
  virtual void whiten(Matrix& points) const = 0;
  /// Replaces z by x = m + sigma A z.
  virtual void unwhiten(Matrix& points) const = 0;

  /// A copy, from which another search can start.
  [[nodiscard]] virtual Start snapshot() const = 0;
  /// sigma^2 A A^T, always d x d.
  [[nodiscard]] Matrix covariance() const { return snapshot().covariance(); }
};

}  // namespace surefoot
