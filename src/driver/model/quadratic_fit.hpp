#pragma once

#include <Eigen/Cholesky>

#include "driver/model/quadratic.hpp"

namespace surefoot {

/// Which terms a model has: 1 and z_i; also z_i^2; also z_i z_j.
enum class ModelType { none, linear, diagonal, full };

/// Number of terms in d dimensions: d + 1, 2 d + 1, (d + 1)(d + 2)/2.
Index number_of_terms(ModelType type, Index dimension);

/// Quadratics by weighted least squares: minimises sum_k (w_k (q(z_k) - y_k))^2.
///
/// The matrix of the terms has its columns scaled to norm 1. The normal equations, with 1e-12 added to their diagonal,
/// are solved by a Cholesky decomposition and refined once with the residuals of the unsquared system, as seminormal
/// equations are [Bjorck1987]: accurate up to conditions of about 1e6, at half the cost of an orthogonal decomposition.
/// With fewer points than terms the shortest solution is found through the matrix of the points' products, which is
/// smaller and regular.
class QuadraticFit {
 public:
  /// Takes points z, one a column, and their weights. False if the equations cannot be solved.
  bool prepare(ModelType type, const Matrix& z, const Vector& w);

  /// The quadratic for values y of the prepared points; cheap after the first. False if the result is not finite; it is
  /// undefined then.
  bool solve(const Vector& y, Quadratic& result);

  /// Condition number of the scaled matrix of the terms in the last solution, an estimate.
  [[nodiscard]] double condition() const;

 private:
  [[nodiscard]] bool has_enough_points() const { return rows_.rows() <= rows_.cols(); }
  void build(const Matrix& z);
  void scale();
  void solve_for_terms();
  void solve_for_points();
  void unpack(Quadratic& result) const;

  ModelType type_ = ModelType::none;
  Vector weights_;

  Matrix rows_;                                        // terms x points; every term's row has norm 1
  Vector scales_;                                      // of the terms
  Vector right_side_;                                  // w_k y_k
  Matrix gram_;                                        // of the terms or, if there are fewer, of the points
  Eigen::LLT<Matrix> factor_{Matrix::Identity(1, 1)};  // of something: copies read whether it worked
  Vector coefficients_;                                // of the scaled terms
  Vector multipliers_;
  Vector residual_;
};

}  // namespace surefoot
