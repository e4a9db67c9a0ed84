#pragma once

#include "model/residuals/kernel_fit.hpp"

namespace surefoot {

/// The point at which a fit expects the least, in its coordinates w.
struct FitStep {
  Vector w;
  double mean_square = 0;  // |mu(w)|^2: the expected f
};

/// The least phi within lower <= w <= upper and |w| <= cap, by Newton's method from w = 0. It costs no evaluation.
FitStep least_phi(const KernelFit& fit, const Vector& lower, const Vector& upper, double cap);

}  // namespace surefoot
