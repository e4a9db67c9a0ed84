#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// The estimated natural gradient in the local coordinates of the search distribution.

#include "surefoot/types.hpp"

namespace surefoot {

/// Step 2 of xNES [NomuraOno2022, sec. 2]. All parts are in the frame of B, where the samples are standard normal. The
/// weights sum to zero, so G_M = sum_i w_i (z_i z_i^T - I) = Z diag(w) Z^T follows from samples and weights. With
/// weights of another sum it is Z diag(w) Z^T - (sum_i w_i) I; without the last term a method diverges.
struct NaturalGradient {
  const Matrix& z;      // samples, one per column
  const Vector& w;      // weight of each sample's rank
  const Vector& delta;  // G_delta = sum_i w_i z_i
  double sigma;         // G_sigma = tr(G_M)/d

  /// G_B = G_M - G_sigma I, symmetric with trace 0. Forming it costs O(d^2 popsize).
  [[nodiscard]] Matrix B() const;
};

}  // namespace surefoot
