#include "driver/model/quadratic_fit.hpp"

#include <cmath>

#include "core/linear_algebra/cholesky.hpp"
#include "core/linear_algebra/dense_products.hpp"

namespace surefoot {
namespace {

constexpr double ridge = 1e-12;           // of the normal equations, whose diagonal is 1
constexpr Index fewest_of_products = 10;  // dimensions from which products of fourth order gain time

}  // namespace

bool QuadraticFit::prepare(ModelType type, const Matrix& z, const Vector& w) {
  const Index terms = number_of_terms(type, z.rows());
  has_enough_points_ = terms <= z.cols();
  are_products_ = type == ModelType::full && has_enough_points_ && z.rows() >= fewest_of_products;
  weights_ = w;
  if (are_products_) {
    products_.prepare(z, w);
  } else {
    stored_.prepare(type, z, w);
  }
  if (has_enough_points_) {
    this->terms().gram(factor_);
    factor_.diagonal().array() += ridge;
  } else {
    factor_ = transposed_product(stored_.matrix(), stored_.matrix());
    const double mean_square = factor_.trace() / static_cast<double>(factor_.rows());
    factor_.diagonal().array() += ridge * mean_square;
  }
  return factor_cholesky(factor_);
}

bool QuadraticFit::solve(const Vector& y, Quadratic& result) {
  right_side_ = weights_.cwiseProduct(y);
  if (has_enough_points_) {
    solve_for_terms();
  } else {
    solve_for_points();
  }
  terms().unpack(coefficients_, result);
  return result.is_finite();
}

void QuadraticFit::solve_for_terms() {
  terms().combine(right_side_, coefficients_);
  solve_cholesky(factor_, coefficients_);
  terms().evaluate(coefficients_, residual_);
  residual_ = right_side_ - residual_;
  terms().combine(residual_, multipliers_);
  solve_cholesky(factor_, multipliers_);
  coefficients_ += multipliers_;
}

/// The coefficients are combinations of the points' rows.
void QuadraticFit::solve_for_points() {
  const Matrix& X = stored_.matrix();
  multipliers_ = right_side_;
  solve_cholesky(factor_, multipliers_);
  coefficients_.noalias() = X * multipliers_;
  residual_ = right_side_;
  residual_.noalias() -= X.transpose() * coefficients_;
  solve_cholesky(factor_, residual_);
  coefficients_.noalias() += X * residual_;
}

double QuadraticFit::condition() const { return 1 / std::sqrt(reciprocal_condition(factor_)); }

}  // namespace surefoot
