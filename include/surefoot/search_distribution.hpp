#pragma once

/// \file
/// The normal distribution that an evolution strategy moves.

#include "surefoot/types.hpp"

namespace surefoot {

/// N(mean, sigma^2 B B^T). Natural evolution strategies keep det B = 1 [NomuraOno2022, sec. 2]; in CMA-ES B B^T = C has
/// any determinant.
struct SearchDistribution {
  Vector mean;       // m in R^d
  double sigma = 1;  // step size
  Matrix B;          // d x d transformation; not symmetric in general

  /// A distribution with one standard deviation per coordinate: sigma is their geometric mean.
  static SearchDistribution axis_parallel(const Vector& mean, const Vector& standard_deviations);

  /// A distribution with a given covariance, symmetric and positive definite.
  /// \throws std::invalid_argument if it is not.
  static SearchDistribution with_covariance(const Vector& mean, const Matrix& covariance);

  [[nodiscard]] Index dimension() const { return mean.size(); }

  /// sigma times the norms of the rows of B: what a coordinate varies by.
  [[nodiscard]] Vector standard_deviations() const;
  /// The same without an allocation.
  void standard_deviations(Vector& deviations) const;

  /// Standard deviations along the principal axes, descending. O(d^3). Axes shorter than 1e-8 times the longest are
  /// lost in rounding.
  [[nodiscard]] Vector axis_lengths() const;

  /// Condition number of the covariance, the squared ratio of the longest to the shortest axis. O(d^3). Accurate up to
  /// about 1e14.
  [[nodiscard]] double condition() const;

  /// Multiplies the standard deviations of the coordinates by these factors; the determinant of B stays as it is.
  void scale_coordinates(const Vector& factors);

  /// sigma^2 B B^T.
  [[nodiscard]] Matrix covariance() const;
};

}  // namespace surefoot
