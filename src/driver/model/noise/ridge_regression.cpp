#include "driver/model/noise/ridge_regression.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/dense_products.hpp"

namespace surefoot {
namespace {

constexpr double jitter = 1e-10;  // of the Gram matrix, in units of the count

}  // namespace

RidgeRegression::RidgeRegression(const Matrix& features, Vector weights, Index free)
    : features_(features), weights_(std::move(weights)), free_(free), count_(weights_.sum()) {
  const Index shrunk = features.rows() - free;
  weighted_ = features;
  for (Index i = 0; i < features.cols(); ++i) weighted_.col(i) *= weights_[i];
  gram_ = product_transposed(weighted_, features);
  gram_ = (gram_ + gram_.transpose()).eval() / 2;
  Matrix G = gram_.topLeftCorner(free, free);
  G.diagonal().array() += jitter * count_;
  free_factor_.compute(G);
  const Matrix cross = gram_.topRightCorner(free, shrunk);
  onto_free_ = free_factor_.solve(cross);
  Matrix M = gram_.bottomRightCorner(shrunk, shrunk) - transposed_product(cross, onto_free_);
  Eigen::SelfAdjointEigenSolver<Matrix> eigen;
  eigen.compute(M);
  eigenvalues_ = eigen.eigenvalues().cwiseMax(0);
  eigenvectors_ = eigen.eigenvectors();
}

/// The likelihood of the values with the free coefficients integrated out, on a grid.
double RidgeRegression::best_ridge(double rest, const Vector& v) const {
  constexpr int reach = 16;  // quarters of a decade on both sides of the count
  const double dof = std::max(1.0, count_ - static_cast<double>(free_));
  double best = -std::numeric_limits<double>::infinity();
  double lambda = count_;
  for (int g = -reach; g <= reach; ++g) {
    const double l = count_ * elementary::pow(10.0, g / 4.0);
    double squares = rest;
    double determinant = 0;
    for (Index i = 0; i < v.size(); ++i) {
      squares -= v[i] * v[i] / (eigenvalues_[i] + l);
      determinant += elementary::log((eigenvalues_[i] + l) / l);
    }
    squares = std::max(squares, 1e-14 * std::max(rest, 0.0) + std::numeric_limits<double>::min());
    const double likelihood = -(dof * elementary::log(squares) + determinant) / 2;
    if (!(likelihood > best)) continue;
    best = likelihood;
    lambda = l;
  }
  return lambda;
}

RidgeFit RidgeRegression::fit(const Vector& y) const {
  const double mean = weights_.dot(y) / count_;
  const Vector centred = y.array() - mean;
  const Vector r = weighted_ * centred;
  const Vector free = free_factor_.solve(Vector(r.head(free_)));
  const Vector shrunk = r.tail(r.size() - free_) - onto_free_.transpose() * r.head(free_);
  const Vector v = eigenvectors_.transpose() * shrunk;
  const double rest = (weights_.array() * centred.array().square()).sum() - r.head(free_).dot(free);
  RidgeFit fit;
  fit.lambda = best_ridge(rest, v);
  fit.coefficients.resize(r.size());
  const Vector scaled = v.array() / (eigenvalues_.array() + fit.lambda);
  const Vector bent = eigenvectors_ * scaled;
  fit.coefficients.tail(bent.size()) = bent;
  fit.coefficients.head(free_) = free - onto_free_ * bent;
  fit.coefficients[0] += mean;
  fit.dof = static_cast<double>(free_) + (eigenvalues_.array() / (eigenvalues_.array() + fit.lambda)).sum();
  const Vector residuals = y - features_.transpose() * fit.coefficients;
  fit.variance = (weights_.array() * residuals.array().square()).sum() / std::max(1.0, count_ - fit.dof);
  return fit;
}

Matrix RidgeRegression::covariance(const RidgeFit& fit, double variance) const {
  Matrix G = gram_;
  G.diagonal().array() += jitter * count_;
  G.diagonal().tail(G.rows() - free_).array() += fit.lambda;
  Eigen::LLT<Matrix> factor;
  factor.compute(G);
  return variance * factor.solve(Matrix::Identity(G.rows(), G.rows()));
}

}  // namespace surefoot
