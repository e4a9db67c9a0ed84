#pragma once

#include <optional>
#include <vector>

#include "model/residuals/fit_archive.hpp"

namespace surefoot {

/// What a fit is built from, and what its likelihood changes.
struct KernelScale {
  double rho = 0.3;  // length scale, in the metric
  double s = 0;      // variance of noise over that of the residuals' change; 0 without noise
  double S2 = 1;     // variance of the residuals' change over a length of rho, summed over residuals
};

/// Gauss-Newton by a Gaussian process: each residual is modelled by one kernel of degree two,
/// t + t^2/2 with t = <z, z'>, expanded about the best point. The mean is a Gauss-Newton model with curvature; the
/// variance takes the place of a trust region.
///
/// With w = D (u - u_c)/rho: the mean is mu(w), the variance v(w), and phi(w) = |mu(w)|^2 + S2 v(w)/2 is what a step
/// minimises. Many residuals are rotated into as few rows as there are points, which changes no inner product.
class KernelFit {
 public:
  struct Request {
    Index centre = 0;
    Vector metric = {};          // D
    KernelScale scale = {};      // that of the last fit
    double noise = 0;            // measured variance of noise, summed over residuals
    bool chooses_noise = false;  // s is chosen by the likelihood, for rough fits
  };

  /// Nothing if no other point is near the centre, or if rounding spoils the matrix.
  static std::optional<KernelFit> build(const FitArchive& archive, const Request& request);

  [[nodiscard]] const KernelScale& scale() const { return scale_; }
  [[nodiscard]] Index points() const { return static_cast<Index>(near_.size()); }
  [[nodiscard]] const std::vector<Index>& near() const { return near_; }
  /// Where a modelled point lies.
  [[nodiscard]] auto w(Index j) const { return Z_.col(j); }

  /// Covariance of the gradient, in units of S2: 1 in a direction nobody has looked at, 0 in one that is known.
  [[nodiscard]] const Matrix& gradient_covariance() const { return C_; }
  /// How little is known of the slope along q, a unit vector in w.
  [[nodiscard]] double uncertainty(const Vector& q) const { return q.dot(C_ * q); }
  /// The eigenvectors of that covariance, those with the largest eigenvalue first.
  [[nodiscard]] Matrix unknown_directions() const;
  /// q or -q: along which f falls.
  [[nodiscard]] Vector downhill(const Vector& q) const { return (J_ * q).dot(r_) > 0 ? Vector(-q) : q; }
  /// From steps in w to those in u, and back.
  [[nodiscard]] Vector to_u(const Vector& w) const { return scale_.rho * w.cwiseQuotient(metric_); }
  [[nodiscard]] Vector to_w(const Vector& u) const { return u.cwiseProduct(metric_) / scale_.rho; }
  /// dr/dw at the centre, of the rotated residuals.
  [[nodiscard]] const Matrix& jacobian() const { return J_; }
  /// The residuals at the centre, rotated.
  [[nodiscard]] const Vector& centre() const { return r_; }
  /// dr/du at the centre, of the residuals themselves.
  [[nodiscard]] Matrix full_jacobian(const FitArchive& archive) const;
  /// The standard deviation of the length of each of its columns.
  [[nodiscard]] Vector jacobian_deviations() const;

  struct Value {
    Vector mean;
    double variance = 0;
    [[nodiscard]] double phi(double S2) const { return mean.squaredNorm() + S2 * variance / 2; }
  };
  [[nodiscard]] Value at(const Vector& w) const;
  /// dmu/dw.
  [[nodiscard]] Matrix mean_slope(const Vector& w) const;
  /// dv/dw.
  [[nodiscard]] Vector variance_slope(const Vector& w) const;

 private:
  struct Distances;

  KernelFit() = default;
  void find_near(const FitArchive& archive, const Request& request);
  void choose_scale(const Request& request, const Distances& distances);
  bool settle(const Request& request, const Distances& distances);
  [[nodiscard]] Vector kernel(const Vector& t) const;

  Index centre_ = 0;
  Vector metric_;
  KernelScale scale_;
  std::vector<Index> near_;
  Matrix Z_;  // D (u_j - u_c)/rho, one per column
  Matrix A_;  // K^-1
  Matrix Y_;  // r_j - r_c, rotated
  Vector r_;  // r_c, rotated
  Matrix C_;
  Matrix J_;
};

/// The most points of a fit.
Index most_fit_points(Index dimension);

}  // namespace surefoot
