#pragma once

#include <optional>

#include "core/linear_algebra/polar_factor.hpp"
#include "surefoot/learning_rate.hpp"

namespace surefoot {

/// A sum of movements of the covariance over generations, symmetric.
///
/// The paper's Fisher square root is not unique. Both choices here normalise by the old covariance:
/// Delta = expm(log_scale I + eta_B G_B) - I in the frame of B, and O Delta O^T, O the polar factor of B, in the frame
/// of the symmetric root. A single movement has the same length in both; sums of them differ.
class MovementPath {
 public:
  MovementPath(const LearningRateContext& context, PathFrame frame);

  void add(const AppliedStep& step, double log_scale, const Cumulation& cumulation);

  /// tr(p^2)/2.
  [[nodiscard]] double squared_length() const { return p_.squaredNorm() / 2; }

  void visit(StateVisitor& visitor, const char* name) { visitor.matrix(name, p_); }

 private:
  std::optional<PolarFactor> polar_;  // empty in the frame of B, and for a diagonal shape, where it is I
  Matrix p_;
};

}  // namespace surefoot
