#include "model/residuals/kernel_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/cholesky.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/symmetric_eigen.hpp"
#include "model/residuals/fewer_rows.hpp"
#include "model/residuals/infinity.hpp"

namespace surefoot {
namespace {

/// exp(t) - 1 - t - t^2/2: what the kernel exp(t) - 1 has beyond degree two. Far points lose their weight by it.
double beyond_degree_two(double t) {
  if (t < 1e-2) return t * t * t / 6 * (1 + t / 4);
  return elementary::exp(std::min(t, 300.0)) - 1 - t - t * t / 2;
}

/// The largest f of a point that a fit is built from: far above the centre's, where a step may have reached zero, and
/// those of the points beside it.
double hopeless_from(const FitArchive& archive) {
  std::vector<double> f;
  for (Index i = 0; i < archive.size(); ++i) f.push_back(archive.f(i));
  const auto few = std::min(static_cast<std::ptrdiff_t>(f.size()) - 1, archive.dimension());
  std::nth_element(f.begin(), f.begin() + few, f.end());
  return 1e8 * f[static_cast<std::size_t>(few)];
}

}  // namespace

Index most_fit_points(Index dimension) {
  const Index d = dimension;
  return std::min((d + 1) * (d + 2) / 2 + d, std::max<Index>(80, 2 * (d + 1)));
}

/// Inner products of points and of residuals, which are the same for every scale.
struct KernelFit::Distances {
  Matrix points;     // Z'Z rho^2
  Matrix residuals;  // G = Y'Y

  /// n ln S2 + ln|K|, less 2 ln of the likelihood; A and S2 are those of this scale. Infinite if K is singular.
  double likelihood(double rho, double s, Matrix& A, double& S2) const {
    const Index n = points.rows();
    Matrix K = points / (rho * rho);
    const Vector t = K.diagonal();
    K.array() += K.array().square() / 2 + s;
    for (Index j = 0; j < n; ++j) K(j, j) += 1e-10 * t[j] + beyond_degree_two(t[j]) + s;
    // A unit diagonal: differences of tiny length weigh as much as long ones.
    const Vector unit = K.diagonal().cwiseSqrt().cwiseInverse();
    if (!unit.allFinite()) return fit_infinity;
    K = scaled_both(unit, K);
    K.diagonal().array() += 1e-12;
    if (!factor_cholesky(K)) return fit_infinity;
    A = Matrix::Identity(n, n);
    solve_cholesky(K, A);
    A = scaled_both(unit, A);
    S2 = std::max(A.cwiseProduct(residuals).sum() / static_cast<double>(n), 1e-300);
    double determinant = 0;  // its logarithm
    for (Index j = 0; j < n; ++j) determinant += 2 * elementary::log(K(j, j) / unit[j]);
    const double result = static_cast<double>(n) * elementary::log(S2) + determinant;
    return std::isfinite(result) ? result : fit_infinity;
  }
};

std::optional<KernelFit> KernelFit::build(const FitArchive& archive, const Request& request) {
  KernelFit fit;
  fit.centre_ = request.centre;
  fit.metric_ = request.metric;
  fit.scale_ = request.scale;
  fit.find_near(archive, request);
  const Index n = fit.points();
  if (n == 0) return {};
  fit.Z_.resize(request.metric.size(), n);
  fit.r_ = archive.r(fit.centre_);
  fit.Y_.resize(fit.r_.size(), n);
  for (Index j = 0; j < n; ++j) {
    const Index i = fit.near_[static_cast<std::size_t>(j)];
    fit.Z_.col(j) = request.metric.cwiseProduct(archive.u(i) - archive.u(fit.centre_));
    fit.Y_.col(j) = archive.r(i) - fit.r_;
  }
  rotate_into_fewer_rows(fit.Y_, fit.r_);
  const Distances distances{transposed_product(fit.Z_, fit.Z_), transposed_product(fit.Y_, fit.Y_)};
  if (!fit.settle(request, distances)) return {};
  fit.Z_ /= fit.scale_.rho;
  const Matrix weights = product_transposed(fit.A_, fit.Z_);
  fit.C_ = Matrix::Identity(fit.Z_.rows(), fit.Z_.rows()) - product(fit.Z_, weights);
  fit.J_ = product(fit.Y_, weights);
  return fit;
}

/// The nearest points of the whole archive, without those that are far worse.
void KernelFit::find_near(const FitArchive& archive, const Request& request) {
  std::vector<std::pair<double, Index>> all;
  const double worst = std::max(1e8 * archive.f(centre_), hopeless_from(archive));
  for (Index i = 0; i < archive.size(); ++i) {
    if (i == centre_ || !(archive.f(i) <= worst)) continue;
    const double square = request.metric.cwiseProduct(archive.u(i) - archive.u(centre_)).squaredNorm();
    if (square == 0 && request.scale.s == 0) continue;
    all.emplace_back(square, i);
  }
  std::sort(all.begin(), all.end());
  const auto most = static_cast<std::size_t>(most_fit_points(request.metric.size()));
  for (const auto& [square, i] : all) {
    if (near_.size() == most) break;
    // A point that was evaluated twice without noise would make K singular.
    const bool is_twice = !near_.empty() && request.noise == 0 && archive.u(near_.back()) == archive.u(i);
    if (!is_twice) near_.push_back(i);
  }
}

/// rho, and for rough fits s, by the likelihood among neighbours of the last ones.
void KernelFit::choose_scale(const Request& request, const Distances& distances) {
  const KernelScale last = scale_;
  double least = fit_infinity;
  Matrix A;
  double S2 = 1;
  for (int k = -2; k <= 2; ++k) {
    const double rho = std::ldexp(last.rho, k);
    const double turn = elementary::log(rho / last.rho);
    for (int e = 0; e < (request.chooses_noise ? 7 : 1); ++e) {
      double s = last.s;
      double penalty = turn * turn / 2;
      if (request.chooses_noise) {
        s = e == 0 ? 0 : elementary::pow(10, 1 - 1.5 * e);
        if (e > 0) penalty += last.s > 0 ? 1 : 2;
        if (e > 0 && last.s > 0) {
          const double change = elementary::log(s / last.s);
          penalty += 0.05 * change * change;
        }
      }
      const double value = distances.likelihood(rho, s, A, S2) + penalty;
      if (value < least) {
        least = value;
        scale_.rho = rho;
        scale_.s = s;
      }
    }
  }
  scale_.rho = std::clamp(scale_.rho, 1e-10, 1e4);
}

bool KernelFit::settle(const Request& request, const Distances& distances) {
  const auto measured = [&request](double S2) { return std::min(100.0, request.noise / std::max(S2, 1e-300)); };
  const bool is_measured = request.noise > 0 && !request.chooses_noise;
  if (is_measured) scale_.s = measured(scale_.S2);
  if (points() > Z_.rows()) choose_scale(request, distances);
  const auto fits = [&] { return std::isfinite(distances.likelihood(scale_.rho, scale_.s, A_, scale_.S2)); };
  if (!fits()) return false;
  for (int k = 0; k < 3 && is_measured; ++k) {  // s and S2 depend on each other
    scale_.s = measured(scale_.S2);
    if (!fits()) return false;
  }
  return true;
}

Matrix KernelFit::full_jacobian(const FitArchive& archive) const {
  const Matrix weights = product_transposed(A_, Z_);
  Matrix J = Matrix::Zero(archive.r(centre_).size(), Z_.rows());
  for (Index j = 0; j < points(); ++j) {
    const Vector y = archive.r(near_[static_cast<std::size_t>(j)]) - archive.r(centre_);
    for (Index k = 0; k < J.cols(); ++k) J.col(k) += weights(j, k) * y;
  }
  for (Index k = 0; k < J.cols(); ++k) J.col(k) *= metric_[k] / scale_.rho;
  return J;
}

Vector KernelFit::jacobian_deviations() const {
  const Vector variances = scale_.S2 * C_.diagonal().cwiseMax(0);
  return variances.cwiseSqrt().cwiseProduct(metric_) / scale_.rho;
}

Vector KernelFit::kernel(const Vector& t) const { return (t.array() + t.array().square() / 2 + scale_.s).matrix(); }

Matrix KernelFit::unknown_directions() const {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(C_);
  // Nothing is known of any direction: eigenvectors would be arbitrary.
  if (eigen.eigenvalues()[0] > 0.9) return Matrix::Identity(C_.rows(), C_.cols());
  return eigen.eigenvectors().rowwise().reverse();
}

KernelFit::Value KernelFit::at(const Vector& w) const {
  const Vector k = kernel(Z_.transpose() * w);
  const Vector a = A_ * k;
  const double T = w.squaredNorm();
  const double prior = T + T * T / 2 + beyond_degree_two(T) + scale_.s;
  return {r_ + Y_ * a, std::max(0.0, prior - k.dot(a))};
}

Matrix KernelFit::mean_slope(const Vector& w) const {
  const Vector growth = (Z_.transpose() * w).array() + 1;
  const Matrix slopes = Z_ * growth.asDiagonal();
  return product(Y_, product_transposed(A_, slopes));
}

Vector KernelFit::variance_slope(const Vector& w) const {
  const Vector t = Z_.transpose() * w;
  const Vector weighted = (A_ * kernel(t)).cwiseProduct((t.array() + 1).matrix());
  return 2 * elementary::exp(std::min(w.squaredNorm(), 50.0)) * w - 2 * (Z_ * weighted);
}

}  // namespace surefoot
