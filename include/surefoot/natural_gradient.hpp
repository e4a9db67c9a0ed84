#pragma once

/// \file
/// The estimated natural gradient in the local coordinates of the search distribution.

#include "surefoot/types.hpp"

namespace surefoot {

/// Step 2 of xNES [NomuraOno2022, sec. 2]. All parts live in the frame of B, where the samples are standard normal.
struct NaturalGradient {
  Vector delta;      // G_delta = sum_i w_i z_i
  double sigma = 0;  // G_sigma = tr(G_M)/d
  Matrix B;          // G_B = G_M - G_sigma I, symmetric with trace 0
};

}  // namespace surefoot
