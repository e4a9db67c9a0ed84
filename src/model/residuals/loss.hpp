#pragma once

#include <string>
#include <vector>

#include "surefoot/types.hpp"

namespace surefoot {

/// Weights and a robust loss: what is told is divided by sigma, and then each residual is replaced by
/// C sgn(r) sqrt(rho((r/C)^2)) with scale C, so that the sum of squares is the robust f.
class ResidualLoss {
 public:
  ResidualLoss() = default;
  /// The name of a loss is linear, soft_l1, huber, cauchy or arctan. `sigma` has the standard deviation of each
  /// residual, or one for all of them; empty: 1.
  /// \throws std::invalid_argument naming the option, its value and what is allowed.
  ResidualLoss(const std::string& name, double scale, Vector sigma = {});

  [[nodiscard]] Vector operator()(const Vector& told) const;
  [[nodiscard]] const Vector& sigma() const { return sigma_; }

  static const std::vector<std::string>& names();

 private:
  double (*rho_)(double) = nullptr;  // none: linear
  double scale_ = 1;
  Vector sigma_;
};

}  // namespace surefoot
