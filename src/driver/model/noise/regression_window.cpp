#include "driver/model/noise/regression_window.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "driver/model/ball_minimum.hpp"
#include "driver/model/noise/centred_features.hpp"
#include "driver/model/noise/growing_noise.hpp"
#include "driver/model/noise/robust_fit.hpp"

namespace surefoot {
namespace {

/// Shifts and scales the frame until the points have mean 0 and mean square 1.
Matrix whiten(const Matrix& points, Axes& frame) {
  Matrix z = frame.to_frame(points);
  const Vector mean = z.rowwise().mean();
  z.colwise() -= mean;
  const double scale = std::sqrt(z.squaredNorm() / static_cast<double>(z.size()));
  z /= scale;
  frame.origin += frame.axes * mean;
  frame.axes *= scale;
  return z;
}

/// No weights so small that fewer points are left than coefficients.
Vector with_enough(Vector weights, Index d) {
  const double least = 1.5 * static_cast<double>(d + 4);
  if (weights.sum() > least) return weights;
  return weights.cwiseMax(least / static_cast<double>(weights.size()));
}

}  // namespace

double Axes::scale() const {
  const Eigen::PartialPivLU<Matrix> lu(axes);
  return elementary::exp(elementary::mean_log(Vector(lu.matrixLU().diagonal().cwiseAbs())));
}

void RegressionWindow::find_minimum(const Vector& coefficients) {
  const Index d = frame_.origin.size();
  const Quadratic q = quadratic_of(coefficients, d);
  BallMinimum ball(d);
  ball.find(q, std::sqrt(static_cast<double>(d)));
  z_ = ball.point();
  is_interior_ = ball.is_interior();
  fitted_minimum_ = q.value(z_);
}

/// tr(H^-1 Cov gradient)/2 at the minimum, with curvatures of at least a hundredth of the largest.
void RegressionWindow::estimate_loss() {
  const Index d = z_.size();
  Eigen::SelfAdjointEigenSolver<Matrix> eigen;
  Matrix hessian = 2 * quadratic_of(coefficients_, d).H;
  eigen.compute(hessian);
  curvatures_ = eigen.eigenvalues();
  directions_ = eigen.eigenvectors();
  const Matrix J = transposed_product(directions_, gradient_by_coefficients(z_));
  const Matrix JC = product(J, covariance_);
  const double least = std::max(0.01 * curvatures_.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  loss_ = 0;
  for (Index i = 0; i < d; ++i) loss_ += JC.row(i).dot(J.row(i)) / std::max(curvatures_[i], least) / 2;
}

std::optional<RegressionWindow> RegressionWindow::fit(const Matrix& points, const Vector& values, const Axes& frame) {
  constexpr int rounds = 4;
  const Index d = points.rows();
  if (points.cols() < d + 4) return std::nullopt;
  RegressionWindow window;
  window.size_ = points.cols();
  window.frame_ = frame;
  const Matrix features = centred_features(whiten(points, window.frame_));
  if (!features.allFinite()) return std::nullopt;
  std::optional<RidgeRegression> regression(std::in_place, features, Vector::Ones(points.cols()), sphere_features(d));
  RidgeFit fit = robust_fit(*regression, features, values);
  window.find_minimum(fit.coefficients);
  for (int round = 1; round < rounds; ++round) {
    const Vector fitted = features.transpose() * fit.coefficients;
    const Vector heights = (fitted.array() - window.fitted_minimum_).max(0.0);
    const GrowingNoise noise = growing_noise(values - fitted, heights, regression->weights(), d);
    Vector weights = with_enough(noise.weights(heights), d);
    if (weights == regression->weights()) break;
    regression.emplace(features, std::move(weights), sphere_features(d));
    fit = robust_fit(*regression, features, values);
    window.find_minimum(fit.coefficients);
  }
  if (!fit.coefficients.allFinite()) return std::nullopt;
  window.coefficients_ = fit.coefficients;
  window.covariance_ = regression->covariance(fit, fit.variance);
  window.count_ = regression->count();
  window.deviation_ = std::sqrt(fit.variance);
  window.minimum_ = window.frame_.origin + window.frame_.axes * window.z_;
  window.estimate_loss();
  if (!window.minimum_.allFinite() || !std::isfinite(window.loss_)) return std::nullopt;
  return window;
}

double RegressionWindow::signal() const { return std::sqrt(curvatures_.squaredNorm() / 2); }

RegressionWindow::Height RegressionWindow::height(const Vector& x) const {
  Matrix both(z_.size(), 2);
  both.col(0) = frame_.to_frame(x);
  both.col(1) = z_;
  const Matrix features = centred_features(both);
  const Vector difference = features.col(0) - features.col(1);
  const Vector spread = covariance_ * difference;
  return {difference.dot(coefficients_), std::sqrt(std::max(0.0, difference.dot(spread)))};
}

}  // namespace surefoot
