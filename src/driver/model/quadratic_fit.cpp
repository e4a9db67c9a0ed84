#include "driver/model/quadratic_fit.hpp"

#include <cmath>

#include "core/linear_algebra/products.hpp"

namespace surefoot {
namespace {

constexpr double ridge = 1e-12;  // of the normal equations, whose diagonal is 1

/// The terms of a point, times a weight.
void write_terms(ModelType type, const Eigen::Ref<const Vector>& z, double w, Eigen::Ref<Vector> terms) {
  const Index d = z.size();
  terms[0] = w;
  terms.segment(1, d) = w * z;
  if (type == ModelType::linear) return;
  terms.segment(1 + d, d) = w * z.cwiseAbs2();
  if (type == ModelType::diagonal) return;
  Index next = 1 + 2 * d;
  for (Index i = 0; i + 1 < d; ++i) {
    terms.segment(next, d - 1 - i) = (w * z[i]) * z.tail(d - 1 - i);
    next += d - 1 - i;
  }
}

}  // namespace

Index number_of_terms(ModelType type, Index dimension) {
  switch (type) {
    case ModelType::none: return 0;
    case ModelType::linear: return dimension + 1;
    case ModelType::diagonal: return 2 * dimension + 1;
    case ModelType::full: return (dimension + 1) * (dimension + 2) / 2;
  }
  return 0;
}

bool QuadraticFit::prepare(ModelType type, const Matrix& z, const Vector& w) {
  type_ = type;
  weights_ = w;
  build(z);
  scale();
  if (has_enough_points()) {
    gram_.resize(rows_.rows(), rows_.rows());
    multiply_symmetric(rows_, rows_, gram_);
    gram_.diagonal().array() += ridge;
  } else {
    gram_.noalias() = rows_.transpose() * rows_;
    const double mean_square = gram_.trace() / static_cast<double>(gram_.rows());
    gram_.diagonal().array() += ridge * mean_square;
  }
  factor_.compute(gram_);
  return factor_.info() == Eigen::Success;
}

bool QuadraticFit::solve(const Vector& y, Quadratic& result) {
  right_side_ = weights_.cwiseProduct(y);
  if (has_enough_points()) {
    solve_for_terms();
  } else {
    solve_for_points();
  }
  coefficients_.array() /= scales_.array();
  unpack(result);
  return result.is_finite();
}

void QuadraticFit::build(const Matrix& z) {
  rows_.resize(number_of_terms(type_, z.rows()), z.cols());
  for (Index k = 0; k < z.cols(); ++k) write_terms(type_, z.col(k), weights_[k], rows_.col(k));
}

void QuadraticFit::scale() {
  scales_ = rows_.rowwise().norm();
  for (double& s : scales_) s = s > 0 ? s : 1;
  rows_.array().colwise() /= scales_.array();
}

void QuadraticFit::solve_for_terms() {
  coefficients_.noalias() = rows_ * right_side_;
  factor_.solveInPlace(coefficients_);
  residual_ = right_side_;
  residual_.noalias() -= rows_.transpose() * coefficients_;
  multipliers_.noalias() = rows_ * residual_;
  factor_.solveInPlace(multipliers_);
  coefficients_ += multipliers_;
}

/// The coefficients are combinations of the points' rows.
void QuadraticFit::solve_for_points() {
  multipliers_ = right_side_;
  factor_.solveInPlace(multipliers_);
  coefficients_.noalias() = rows_ * multipliers_;
  residual_ = right_side_;
  residual_.noalias() -= rows_.transpose() * coefficients_;
  factor_.solveInPlace(residual_);
  coefficients_.noalias() += rows_ * residual_;
}

void QuadraticFit::unpack(Quadratic& result) const {
  const Index d = result.linear.size();
  result.constant = coefficients_[0];
  result.linear = coefficients_.segment(1, d);
  result.H.setZero();
  if (type_ == ModelType::linear) return;
  result.H.diagonal() = coefficients_.segment(1 + d, d);
  if (type_ == ModelType::diagonal) return;
  Index next = 1 + 2 * d;
  for (Index i = 0; i + 1 < d; ++i) {
    for (Index j = i + 1; j < d; ++j) result.H(i, j) = result.H(j, i) = coefficients_[next++] / 2;
  }
}

double QuadraticFit::condition() const { return 1 / std::sqrt(factor_.rcond()); }

}  // namespace surefoot
