#pragma once

#include "core/linear_algebra/dense_solvers.hpp"
#include "core/linear_algebra/symmetric_eigen.hpp"

namespace surefoot {

struct RidgeFit {
  Vector coefficients;
  double lambda = 0;
  double dof = 0;       // free coefficients and what the data say about the others
  double variance = 0;  // of the residuals
};

/// Weighted least squares in which the first coefficients are free and the others are drawn towards 0 by a ridge that
/// maximises the likelihood of the values: they are believed as far as the data carry them, so that fewer values than
/// coefficients are enough. Factors once, and fits any number of values at the same points.
class RidgeRegression {
 public:
  /// `features`: one column per point; the first `free` rows are free. The features must outlive it.
  RidgeRegression(const Matrix& features, Vector weights, Index free);

  [[nodiscard]] RidgeFit fit(const Vector& y) const;
  /// The sum of the weights.
  [[nodiscard]] double count() const { return count_; }
  [[nodiscard]] const Vector& weights() const { return weights_; }
  /// The covariance of the coefficients of a fit, for this variance of the values.
  [[nodiscard]] Matrix covariance(const RidgeFit& fit, double variance) const;

 private:
  [[nodiscard]] double best_ridge(double rest, const Vector& v) const;

  const Matrix& features_;
  Vector weights_;
  Index free_;
  double count_;
  Matrix weighted_;  // features times weights
  Matrix gram_;
  Eigen::LLT<Matrix> free_factor_;
  Matrix onto_free_;  // what the free features explain of the others
  Vector eigenvalues_;
  Matrix eigenvectors_;
};

}  // namespace surefoot
