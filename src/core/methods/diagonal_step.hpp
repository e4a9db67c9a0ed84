#pragma once

#include "core/elementary/elementary.hpp"
#include "surefoot/learning_rate.hpp"

namespace surefoot {

/// What a step does to a diagonal shape: s s becomes s s exp(eta_B G_B), G_B = G - G_sigma. Sums of it have one number
/// a coordinate, in a matrix of one column. A diagonal matrix is its own symmetric root, so both frames are the same.
class DiagonalStep final : public ShapeStep {
 public:
  /// G_j = sum_i w_i (z_ij^2 - 1), of which G_sigma is the mean. They must stay as they are while the step is in use.
  DiagonalStep(const Vector& G, double G_sigma, double eta_B) : G_(G), G_sigma_(G_sigma), eta_B_(eta_B) {}

  void add_gradient(const Cumulation& cumulation, Matrix& P) override {
    P.array() = cumulation.decay * P.array() + cumulation.gain * (G_.array() - G_sigma_);
  }
  void add_movement(double log_scale, const Cumulation& cumulation, Matrix& P) override {
    for (Index j = 0; j < G_.size(); ++j) {
      const double movement = elementary::expm1(log_scale + eta_B_ * (G_[j] - G_sigma_));
      P(j, 0) = cumulation.decay * P(j, 0) + cumulation.gain * movement;
    }
  }
  void add_rotated_movement(const Matrix& /*O*/, double log_scale, const Cumulation& cumulation, Matrix& P) override {
    add_movement(log_scale, cumulation, P);
  }

 private:
  const Vector& G_;
  double G_sigma_;
  double eta_B_;
};

}  // namespace surefoot
