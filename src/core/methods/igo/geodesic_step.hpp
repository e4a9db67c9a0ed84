#pragma once

#include "core/linear_algebra/inverse.hpp"
#include "core/linear_algebra/symmetric_eigen.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// The point that the geodesic of the Fisher metric from N(0, I) reaches in a given time [Bensadon2015].
class GeodesicStep {
 public:
  explicit GeodesicStep(Index dimension);

  /// Replaces the velocity of the mean by its movement, and the weighted second moments of the ranking by the
  /// covariance that is reached. The mean moves at the rate `dt_m`, the covariance at the rate `dt`.
  void operator()(double dt_m, double dt, Vector& mean, Matrix& covariance);

 private:
  Eigen::SelfAdjointEigenSolver<Matrix> solver_;
  Inverse inverse_;
  Vector a_, cosh_, sinh_;
  Matrix W_, H_, K_, L_, R_;
};

}  // namespace surefoot
