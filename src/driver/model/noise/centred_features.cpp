#include "driver/model/noise/centred_features.hpp"

#include <cmath>

namespace surefoot {
namespace {

void write_features(const Eigen::Ref<const Vector>& z, Eigen::Ref<Vector> p) {
  const Index d = z.size();
  p[0] = 1;
  p.segment(1, d) = z;
  p[d + 1] = (z.squaredNorm() - static_cast<double>(d)) / std::sqrt(2.0 * static_cast<double>(d));
  Index k = sphere_features(d);
  for (Index i = 0; i < d; ++i) p[k++] = (z[i] * z[i] - 1) / std::sqrt(2.0);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < i; ++j) p[k++] = z[i] * z[j];
  }
}

}  // namespace

Matrix centred_features(const Matrix& z) {
  Matrix features(all_features(z.rows()), z.cols());
  for (Index i = 0; i < z.cols(); ++i) write_features(z.col(i), features.col(i));
  return features;
}

Quadratic quadratic_of(const Vector& coefficients, Index d) {
  Quadratic q(d);
  q.linear = coefficients.segment(1, d);
  const double round = coefficients[d + 1] / std::sqrt(2.0 * static_cast<double>(d));
  Index k = sphere_features(d);
  for (Index i = 0; i < d; ++i) q.H(i, i) = round + coefficients[k++] / std::sqrt(2.0);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < i; ++j) q.H(i, j) = q.H(j, i) = coefficients[k++] / 2;
  }
  q.constant = coefficients[0] - q.H.trace();
  return q;
}

Matrix gradient_by_coefficients(const Vector& z) {
  const Index d = z.size();
  Matrix J = Matrix::Zero(d, all_features(d));
  J.block(0, 1, d, d).setIdentity();
  J.col(d + 1) = 2 * z / std::sqrt(2.0 * static_cast<double>(d));
  Index k = sphere_features(d);
  for (Index i = 0; i < d; ++i) J(i, k++) = std::sqrt(2.0) * z[i];
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < i; ++j) {
      J(i, k) = z[j];
      J(j, k++) = z[i];
    }
  }
  return J;
}

}  // namespace surefoot
