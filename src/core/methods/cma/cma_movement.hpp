#pragma once

#include "core/linear_algebra/inverse.hpp"
#include "core/methods/cma/cma_state.hpp"

namespace surefoot {

/// How far a step of CMA-ES moves its distribution, in the coordinates in which the old one is N(0, I):
/// Sigma^{-1/2} (m' - m) and Sigma^{-1/2} (Sigma' - Sigma) Sigma^{-1/2}, where Sigma = sigma^2 C.
class CmaMovement {
 public:
  explicit CmaMovement(Index dimension);

  /// Before the step. The shape must be C^{1/2}.
  void start(const Normal<FullShape>& normal, const CmaState& state);
  /// After it; the shape must still be the old one.
  void finish(const Normal<FullShape>& normal, const CmaState& state);

  Vector m;
  Matrix Sigma;

  // The distribution before the step.
  Vector old_mean;
  double old_sigma = 0;
  Matrix old_C;

 private:
  Inverse inverse_;
  Matrix inverse_root_;
  Matrix product_;
};

}  // namespace surefoot
