#pragma once

#include <cmath>

#include "surefoot/types.hpp"

namespace surefoot {

/// A bound on the Frobenius norm of B, followed through its updates. B is finite as long as the bound is: reading all
/// of B would cost a tenth of a generation.
class NormBound {
 public:
  explicit NormBound(const Matrix& B) : bound_(B.norm()) {}

  /// After B was multiplied by a matrix of at most this norm.
  void follow(double norm, const Matrix& B) {
    bound_ *= norm;
    if (!(bound_ < 1e300)) restart(B);
  }

  void restart(const Matrix& B) { bound_ = B.norm(); }

  [[nodiscard]] bool is_finite() const { return std::isfinite(bound_); }

 private:
  double bound_;
};

}  // namespace surefoot
