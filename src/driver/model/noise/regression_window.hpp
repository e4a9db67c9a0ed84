#pragma once

#include <optional>
#include <vector>

#include "driver/model/noise/ridge_regression.hpp"
#include "driver/model/quadratic.hpp"

namespace surefoot {

/// Coordinates around a point: x = origin + axes z.
struct Axes {
  Vector origin;
  Matrix axes;

  [[nodiscard]] Matrix to_frame(const Matrix& x) const { return solution(axes, x.colwise() - origin); }
  /// The geometric mean of its lengths.
  [[nodiscard]] double scale() const;
};

/// A robust regression of a quadratic to the values of the points in a window, and what it says about the minimum.
class RegressionWindow {
 public:
  /// Points of the window, one column each, with their values, in a frame. Nothing if they are too few or degenerate.
  static std::optional<RegressionWindow> fit(const Matrix& points, const Vector& values, const Axes& frame);

  /// Points in it.
  [[nodiscard]] Index size() const { return size_; }
  /// In which the points have mean 0 and mean square 1.
  [[nodiscard]] const Axes& frame() const { return frame_; }
  /// The minimum of the quadratic in the ball |z| <= sqrt d.
  [[nodiscard]] const Vector& minimum() const { return minimum_; }
  [[nodiscard]] bool is_interior() const { return is_interior_; }
  [[nodiscard]] double fitted_minimum() const { return fitted_minimum_; }
  /// By how much the function at this minimum is above its own, as noise alone lets one expect.
  [[nodiscard]] double expected_loss() const { return loss_; }
  /// Standard deviation of the residuals at the minimum.
  [[nodiscard]] double deviation() const { return deviation_; }
  /// The sum of the weights.
  [[nodiscard]] double count() const { return count_; }
  /// Second derivatives in the frame: eigenvalues and eigenvectors.
  [[nodiscard]] const Vector& curvatures() const { return curvatures_; }
  [[nodiscard]] const Matrix& directions() const { return directions_; }
  /// Standard deviation of the quadratic part under N(0, I) in the frame.
  [[nodiscard]] double signal() const;

  /// By how much the fit at x is above its minimum, and the standard error of that.
  struct Height {
    double value = 0;
    double error = 0;
  };
  [[nodiscard]] Height height(const Vector& x) const;

 private:
  RegressionWindow() = default;
  void find_minimum(const Vector& coefficients);
  void estimate_loss();

  Index size_ = 0;
  Axes frame_;
  Vector coefficients_;
  Matrix covariance_;  // of the coefficients
  Vector z_;           // the minimum in the frame
  Vector minimum_;
  bool is_interior_ = false;
  double fitted_minimum_ = 0;
  double loss_ = 0;
  double deviation_ = 0;
  double count_ = 0;
  Vector curvatures_;
  Matrix directions_;
};

}  // namespace surefoot
