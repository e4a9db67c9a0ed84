#pragma once

#include "core/linear_algebra/symmetric_eigen.hpp"
#include "core/methods/cma/cma_constants.hpp"
#include "core/methods/cma/cma_state.hpp"
#include "core/methods/population.hpp"

namespace surefoot {

/// One step of CMA-ES, from a weighted population: no sampling, no ranking, no state but workspace. It may be applied
/// to any state of its dimension.
class CmaStep {
 public:
  explicit CmaStep(Index dimension);

  /// [Hansen2016, app. A]. `w` has the weight of each candidate's rank, in sampling order; the population was sampled
  /// from the normal.
  void operator()(const CmaConstants& constants, const Population<FullShape>& population, const Vector& w,
                  Normal<FullShape>& normal, CmaState& state);

  /// The same without the decomposition of C, for those who have more to do with C.
  void move(const CmaConstants& constants, const Population<FullShape>& population, const Vector& w,
            Normal<FullShape>& normal, CmaState& state);

  /// B := C^{1/2}; NaN where C has none. Eigenvalues of C that are not positive are raised.
  ///
  /// With a scaled root B := D R^{1/2}, C = D R D and R being the matrix of correlations. Eigenvalues of C are lost in
  /// rounding where standard deviations differ by 1e8, those of R are not. This root follows changes of single standard
  /// deviations without turning, so the path of z stays what it is.
  void decompose(CmaState& state, FullShape& shape);

  /// Takes the scaled root from now on.
  void scale_root() { has_scaled_root_ = true; }

  /// Lengths of the axes of C at its last decomposition, ascending.
  [[nodiscard]] const Vector& axis_lengths() const { return eigenvalues_; }

 private:
  void decompose_scaled(CmaState& state, FullShape& shape);
  void update_covariance(const CmaConstants& constants, const Population<FullShape>& population, const Vector& w,
                         CmaState& state);

  double chi_;         // E|N(0, I)|
  Vector positive_w_;  // w, 0 for the worse half
  Vector y_w_, z_w_;   // weighted means of the better half
  Matrix columns_;     // y_i, and p_c
  Vector column_weights_;
  Eigen::SelfAdjointEigenSolver<Matrix> solver_;
  Vector eigenvalues_;
  bool has_scaled_root_ = false;
};

/// Moves p_c, and gamma_c with it; returns the factor with which the old C goes into the new one.
double cumulate_p_c(const CmaConstants& constants, const Vector& y_w, CmaState& state);

}  // namespace surefoot
