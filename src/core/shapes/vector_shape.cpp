#include "core/shapes/vector_shape.hpp"

#include "core/linear_algebra/rank_one_eigenvalues.hpp"

namespace surefoot {

double VectorShape::sigma_of(const Start& start) {
  return start.factor ? Start{start.mean, start.deviations}.sigma() : start.sigma();
}

VectorShape::VectorShape(const Start& start, double sigma)
    : D(start.own_deviations() / sigma), v(Vector::Zero(start.dimension())) {
  if (start.direction) v = start.direction->cwiseQuotient(sigma * D);
}

/// (sqrt(1 + n) - 1)/n without cancellation.
double VectorShape::share_of_root() const { return 1 / (1 + std::sqrt(1 + v.squaredNorm())); }

double VectorShape::share_of_inverse_root() const {
  const double root = std::sqrt(1 + v.squaredNorm());
  return -1 / (root * (1 + root));
}

void VectorShape::axis(Index k, Vector& out) const {
  out = (share_of_root() * v[k]) * v.cwiseProduct(D);
  out[k] += D[k];
}

void VectorShape::multiply(const Matrix& z, Matrix& y) const {
  const double share = share_of_root();
  y.resize(z.rows(), z.cols());
  for (Index i = 0; i < z.cols(); ++i) {
    const double along = share * v.dot(z.col(i));
    y.col(i) = D.cwiseProduct(z.col(i) + along * v);
  }
}

void VectorShape::solve(Eigen::Ref<Matrix> y) const {
  const double share = share_of_inverse_root();
  for (Index i = 0; i < y.cols(); ++i) {
    auto column = y.col(i);
    column.array() /= D.array();
    const double along = share * v.dot(column);
    column += along * v;
  }
}

Vector VectorShape::axis_lengths() const { return snapshot(Vector::Zero(D.size()), 1).axis_lengths(); }

std::pair<double, double> VectorShape::extreme_lengths() const {
  const RankOneEigenvalues eigenvalues(D.cwiseAbs2(), D.cwiseProduct(v));
  return {std::sqrt(eigenvalues(D.size() - 1)), std::sqrt(eigenvalues(0))};
}

Start VectorShape::snapshot(const Vector& mean, double sigma) const {
  Start start{mean, D};
  deviations(start.deviations);
  start.deviations *= sigma;
  start.direction = sigma * D.cwiseProduct(v);
  return start;
}

double VectorShape::Condition::operator()(const VectorShape& shape) const {
  const auto D2 = shape.D.array().square();
  const auto v2 = shape.v.array().square();
  const double g = 1 + shape.v.squaredNorm();
  const double trace = (D2 * (1 + v2)).sum();
  const double inverse_trace = ((1 - v2 / g) / D2).sum();
  return std::sqrt(trace * inverse_trace);
}

}  // namespace surefoot
