#pragma once

#include "driver/model/terms.hpp"

namespace surefoot {

/// Quadratics by weighted least squares: minimises sum_k (w_k (q(z_k) - y_k))^2.
///
/// The matrix of the terms has its columns scaled to norm 1. The normal equations, with 1e-12 added to their diagonal,
/// are solved by a Cholesky decomposition and refined once with the residuals of the unsquared system, as seminormal
/// equations are [Bjorck1987]: accurate up to conditions of about 1e6, at half the cost of an orthogonal decomposition.
/// With fewer points than terms the shortest solution is found through the matrix of the points' products, which is
/// smaller and regular.
class QuadraticFit {
 public:
  /// Takes points z, one per column, and their weights. False if the equations cannot be solved.
  bool prepare(ModelType type, const Matrix& z, const Vector& w);

  /// The quadratic for values y of the prepared points; cheap after the first. False if the result is not finite; it is
  /// undefined then.
  bool solve(const Vector& y, Quadratic& result);

  /// Condition number of the scaled matrix of the terms in the last solution, an estimate.
  [[nodiscard]] double condition() const;

 private:
  [[nodiscard]] Terms& terms() { return are_products_ ? static_cast<Terms&>(products_) : stored_; }
  void solve_for_terms();
  void solve_for_points();

  bool has_enough_points_ = false;
  bool are_products_ = false;
  StoredTerms stored_;
  ProductTerms products_;
  Vector weights_;
  Vector right_side_;    // w_k y_k
  Matrix factor_;        // Cholesky's, of X X^T or, if there are fewer points than terms, of X^T X
  Vector coefficients_;  // of the scaled terms
  Vector multipliers_;
  Vector residual_;
};

}  // namespace surefoot
