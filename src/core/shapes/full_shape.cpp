#include "core/shapes/full_shape.hpp"

#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/dense_solvers.hpp"
#include "core/linear_algebra/pack.hpp"
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

/// The sums of a few rows stay in registers as long as B stays in the cache. Rows of a larger B would miss it at every
/// element: it is read column by column.
void FullShape::deviations(Vector& out) const {
  constexpr Index most_in_cache = 64;
  out.setZero(B.rows());
  if (B.rows() <= most_in_cache) {
    for_all_columns(B.rows(), 1,
                    [d = B.rows(), B = B.data(), out = out.data()](auto real, Index i, Index /*j*/) SUREFOOT_KERNEL {
                      using Real = typename decltype(real)::type;
                      Real sum = {};
                      for (Index k = 0; k < d; ++k) {
                        const Real entry = load<Real>(B + k * d + i);
                        sum += entry * entry;
                      }
                      store(out + i, sum);
                    });
  } else {
    for (Index j = 0; j < B.cols(); ++j) out += B.col(j).cwiseAbs2();
  }
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
