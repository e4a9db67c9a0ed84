#include "surefoot/gaussian.hpp"

#include <cmath>

#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/dense_solvers.hpp"
#include "core/linear_algebra/singular_values.hpp"
#include "core/shapes/full_shape.hpp"

namespace surefoot {

Gaussian::Gaussian(const Start& start) : m(start.mean), step_size(start.sigma()), A(FullShape(start, step_size).B) {}

void Gaussian::correct(const Vector& shift, const Vector& factors) {
  m += shift;
  A = factors.asDiagonal() * A;
}

void Gaussian::visit(StateVisitor& visitor) {
  visitor.vector("m", m);
  visitor.scalar("sigma", step_size);
  visitor.matrix("A", A);
}

void Gaussian::deviations(Vector& out) const { out = step_size * A.rowwise().norm(); }

bool Gaussian::is_finite() const { return m.allFinite() && std::isfinite(step_size) && A.allFinite(); }

double Gaussian::frobenius_condition() const {
  return A.norm() * solution(A, Matrix::Identity(A.rows(), A.cols())).norm();
}

Vector Gaussian::axis_lengths() const { return step_size * singular_values(A); }

double Gaussian::condition() const {
  const Vector lengths = singular_values(A);
  const double ratio = lengths[0] / lengths[lengths.size() - 1];
  return ratio * ratio;
}

void Gaussian::whiten(Matrix& points) const {
  points.colwise() -= m;
  points = solution(A, points) / step_size;
}

void Gaussian::unwhiten(Matrix& points) const {
  points = step_size * product(A, points);
  points.colwise() += m;
}

Start Gaussian::snapshot() const { return Start::with_factor(m, step_size * A); }

}  // namespace surefoot
