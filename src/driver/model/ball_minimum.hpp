#pragma once

#include "core/linear_algebra/symmetric_eigen.hpp"
#include "driver/model/quadratic.hpp"

namespace surefoot {

/// The global minimum of a quadratic in the ball |z| <= r, convex or not [MoreSorensen1983]: (H + mu I) z = -linear/2
/// with the smallest mu >= 0 for which H + mu I has no negative eigenvalue and z is in the ball.
class BallMinimum {
 public:
  explicit BallMinimum(Index dimension);

  void find(const Quadratic& q, double radius);

  [[nodiscard]] const Vector& point() const { return z_; }
  /// q(z) - q(0), never positive.
  [[nodiscard]] double decrease() const { return decrease_; }
  /// Whether q has its minimum here even without the ball.
  [[nodiscard]] bool is_interior() const { return is_interior_; }

 private:
  /// |z(mu)|^2; falls with mu.
  [[nodiscard]] double squared_length(double mu) const;
  void settle(double mu);
  [[nodiscard]] double multiplier(double lowest, double radius) const;
  void add_lowest_axis(double radius);

  Eigen::SelfAdjointEigenSolver<Matrix> eigen_;
  Vector gradient_;     // of q at 0, along the eigenvectors
  Vector coordinates_;  // of z, along the eigenvectors
  Vector z_;
  double decrease_ = 0;
  bool is_interior_ = false;
};

}  // namespace surefoot
