#include "core/shapes/full_shape.hpp"

#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/dense_solvers.hpp"
#include "core/linear_algebra/products.hpp"
#include "core/linear_algebra/singular_values.hpp"

namespace surefoot {
namespace {

Matrix without_sigma(const Start& start, double sigma) {
  if (start.factor) return *start.factor / sigma;
  if (!start.direction) return (start.deviations / sigma).asDiagonal();
  return Eigen::LLT<Matrix>(start.covariance()).matrixL().toDenseMatrix() / sigma;
}

}  // namespace

FullShape::FullShape(const Start& start, double sigma) : B(without_sigma(start, sigma)), bound(B) {}

void FullShape::deviations(Vector& out) const {
  // Column by column: single rows of a large B would miss the cache at every element.
  out.setZero(B.rows());
  for (Index j = 0; j < B.cols(); ++j) out += B.col(j).cwiseAbs2();
  out = out.cwiseSqrt();
}

void FullShape::multiply(const Matrix& z, Matrix& y, Executor* executor) const {
  surefoot::multiply(B, z, y, executor);
}

void FullShape::solve(Eigen::Ref<Matrix> y) const { y = solution(B, y); }

void FullShape::scale_rows(const Vector& factors) {
  B = scaled_rows(factors, B);
  bound.restart(B);
}

Vector FullShape::axis_lengths() const { return singular_values(B); }

std::pair<double, double> FullShape::extreme_lengths() const {
  const Vector lengths = axis_lengths();
  return {lengths[0], lengths[lengths.size() - 1]};
}

void FullShape::visit(StateVisitor& visitor) {
  visitor.matrix("B", B);
  bound.restart(B);  // it may have been restored
}

}  // namespace surefoot
