#include "core/shapes/low_rank_shape.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/elementary/elementary.hpp"
#include "core/geometric_mean.hpp"

namespace surefoot {

double LowRankShape::sigma_of(const Start& start) { return geometric_mean(start.deviations); }

LowRankShape::LowRankShape(const Start& start, double sigma) : s(start.deviations / sigma), M(s.size(), 0) {}

/// F_j (I + M K M^T) adds r e_j (e_j + K^T G e_j)^T to K, where G = M^T M and r = c_j/(1 - c_j).
void LowRankShape::update(Index n) {
  const Matrix G = M.leftCols(n).transpose() * M.leftCols(n);
  a_ = 1;
  K_.setZero(n, n);
  for (Index j = 0; j < n; ++j) {
    const double c = elementary::pow(1.5, -static_cast<double>(j)) / static_cast<double>(dimension());
    const double r = c / (1 - c);
    Eigen::RowVectorXd row = r * (G.row(j) * K_);
    row[j] += r;
    K_.row(j) += row;
    a_ *= 1 - c;
  }
  inverse_ = -(Matrix::Identity(n, n) + K_ * G).partialPivLu().solve(K_);
}

/// The diagonal of A A^T = a^2 (I + M S M^T) with S = K + K^T + K G K^T.
void LowRankShape::deviations(Vector& out) const {
  const Matrix MK = used() * K_;
  const Matrix G = used().transpose() * used();
  const Matrix cross = 2 * MK + MK * G * K_.transpose();
  out = s.array() * a_ * (1 + cross.cwiseProduct(used()).rowwise().sum().array()).sqrt();
}

void LowRankShape::axis(Index k, Vector& out) const {
  out = used() * (K_ * used().row(k).transpose());
  out[k] += 1;
  out.array() *= a_ * s.array();
}

void LowRankShape::multiply(const Matrix& z, Matrix& y) const {
  const Matrix coefficients = K_ * (used().transpose() * z);
  if (&y != &z) y = z;
  y.noalias() += used() * coefficients;
  y.array().colwise() *= a_ * s.array();
}

void LowRankShape::solve(Eigen::Ref<Matrix> y) const {
  y.array().colwise() /= a_ * s.array();
  const Matrix coefficients = inverse_ * (used().transpose() * y);
  y += used() * coefficients;
}

/// Eigenvalues of A^T A without s: a^2 times 1, and 1 + those of the n x n matrix of M's span.
std::pair<double, double> LowRankShape::extreme_lengths() const {
  const Vector lengths = axis_lengths();
  return {lengths[0], lengths[lengths.size() - 1]};
}

Vector LowRankShape::axis_lengths() const {
  const Index n = K_.rows();
  Vector lengths = Vector::Constant(dimension(), a_);
  if (n > 0) {
    const Matrix G = used().transpose() * used();
    const Matrix S = K_ + K_.transpose() + K_ * G * K_.transpose();
    const Eigen::EigenSolver<Matrix> solver(S * G, false);
    const Index some = std::min(n, dimension());
    Vector values = (1 + solver.eigenvalues().real().array()).max(0).sqrt();
    std::sort(values.begin(), values.end(), [](double a, double b) { return std::abs(a - 1) > std::abs(b - 1); });
    lengths.head(some).array() *= values.head(some).array();
  }
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  return lengths;
}

Start LowRankShape::snapshot(const Vector& mean, double sigma) const {
  Vector out;
  deviations(out);
  return {mean, sigma * out};
}

/// M one direction a row, as files have it.
void LowRankShape::visit(StateVisitor& visitor) {
  visitor.vector("s", s);
  Matrix rows = M.transpose();
  visitor.matrix("M", rows);
  M = rows.transpose();
  std::int64_t n = K_.rows();
  visitor.integer("directions", n);
  update(std::clamp<Index>(static_cast<Index>(n), 0, M.cols()));
}

}  // namespace surefoot
