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
  void decompose(CmaState& state, FullShape& shape);

  /// Lengths of the axes of C as it was last decomposed, ascending.
  [[nodiscard]] const Vector& axis_lengths() const { return eigenvalues_; }

 private:
  void update_covariance(const CmaConstants& constants, const Population<FullShape>& population, const Vector& w,
                         CmaState& state);

  double chi_;         // E|N(0, I)|
  Vector positive_w_;  // w, 0 for the worse half
  Vector y_w_, z_w_;   // weighted means of the better half
  Matrix columns_;     // y_i, and p_c
  Vector column_weights_;
  Eigen::SelfAdjointEigenSolver<Matrix> solver_;
  Vector eigenvalues_;
};

/// Moves p_c, and gamma_c with it; returns the factor with which the old C goes into the new one.
double cumulate_p_c(const CmaConstants& constants, const Vector& y_w, CmaState& state);

}  // namespace surefoot
