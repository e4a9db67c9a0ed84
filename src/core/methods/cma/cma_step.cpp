#include "core/methods/cma/cma_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/elementary/elementary.hpp"
#include "core/expected_norm.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/products.hpp"
#include "core/methods/cma/cumulation.hpp"
#include "core/visit_count.hpp"

namespace surefoot {
namespace {

// Keeps the division by the length of a step that is zero finite; the cmaes library's value.
constexpr double smallest_squared_length = 1e-8;

// What rounding has made negative becomes this part of the largest eigenvalue. The cmaes library takes 1e-8 itself;
// here C has the scale that the start gives it.
constexpr double repaired_eigenvalue = 1e-8;

bool h_sigma(const CmaConstants& c, double chi, const CmaState& state) {
  if (!c.rules.compares_squares) {
    return is_path_short(c.c_sigma, chi, state.g, state.p_sigma.size(), state.p_sigma.norm(), c.rules.first_exponent);
  }
  const auto d = static_cast<double>(state.p_sigma.size());
  const double exponent = 2 * static_cast<double>(state.g - 1) + c.rules.first_exponent;
  const double variance = c.rules.normalises_paths ? state.gamma_sigma : 1 - elementary::pow(1 - c.c_sigma, exponent);
  return state.p_sigma.squaredNorm() < (2 + 4 / (d + 1)) * d * variance;
}

void give_up(FullShape& shape) {
  shape.B.setConstant(std::numeric_limits<double>::quiet_NaN());
  shape.bound.restart(shape.B);
}

}  // namespace

CmaState::CmaState(const Normal<FullShape>& normal)
    : C(product_transposed(normal.shape.B, normal.shape.B)),
      p_sigma(Vector::Zero(normal.dimension())),
      p_c(Vector::Zero(normal.dimension())) {}

void CmaState::visit(StateVisitor& visitor) {
  visitor.matrix("C", C);
  visitor.vector("p_sigma", p_sigma);
  visitor.vector("p_c", p_c);
  visit_count(visitor, "g", g);
}

void CmaState::scale_coordinates(const Vector& factors) {
  C = scaled_both(factors, C);
  p_c.array() *= factors.array();
}

CmaStep::CmaStep(Index dimension)
    : chi_(expected_norm(dimension)), y_w_(dimension), z_w_(dimension), solver_(dimension), eigenvalues_(dimension) {}

void CmaStep::operator()(const CmaConstants& c, const Population<FullShape>& population, const Vector& w,
                         Normal<FullShape>& normal, CmaState& state) {
  move(c, population, w, normal, state);
  if (normal.shape.is_finite() && state.g % c.decompose_every == 0) decompose(state, normal.shape);
}

/// The old sigma and the old C are in y and z.
void CmaStep::move(const CmaConstants& c, const Population<FullShape>& population, const Vector& w,
                   Normal<FullShape>& normal, CmaState& state) {
  positive_w_ = w.cwiseMax(0);
  y_w_.noalias() = population.y * positive_w_;
  z_w_.noalias() = population.z * positive_w_;  // C^{-1/2} y_w
  ++state.g;

  normal.mean += c.c_m * normal.sigma * y_w_;
  cumulate(c.c_sigma, c.mu_eff, z_w_, state.p_sigma);
  if (c.rules.normalises_paths) state.gamma_sigma = path_variance(c.c_sigma, true, state.gamma_sigma);
  const double growth = c.c_sigma / c.d_sigma * (state.p_sigma.norm() / chi_ - std::sqrt(state.gamma_sigma));
  normal.sigma *= elementary::exp(std::min(growth, c.rules.largest_growth));
  state.h_sigma = h_sigma(c, chi_, state);
  update_covariance(c, population, w, state);
  if (!std::isfinite(state.C.trace())) give_up(normal.shape);  // a sum of squares overflows on the diagonal first
}

/// delta of [Hansen2016] is 1 - gamma_c where paths are not normalised.
double cumulate_p_c(const CmaConstants& c, const Vector& y_w, CmaState& state) {
  if (state.h_sigma || !c.rules.gates_p_c) {
    cumulate(c.c_c, c.mu_eff, y_w, state.p_c);
  } else {
    state.p_c *= 1 - c.c_c;
  }
  double gamma_c = 1;
  if (c.rules.normalises_paths) {
    gamma_c = state.gamma_c = path_variance(c.c_c, state.h_sigma, state.gamma_c);
  } else if (!state.h_sigma) {
    gamma_c = path_variance(c.c_c, false, 1);
  }
  return 1 - c.c_1 * gamma_c - c.c_mu * c.w.sum();
}

/// p_c, and C := (1 - c_1 gamma_c - c_mu sum_i w_i) C + c_1 p_c p_c^T + c_mu sum_i w_i y_i y_i^T, where a step with a
/// negative weight counts as if it had the length of an average one.
void CmaStep::update_covariance(const CmaConstants& c, const Population<FullShape>& population, const Vector& w,
                                CmaState& state) {
  const Index popsize = w.size();
  const Index dimension = state.p_c.size();
  const auto d = static_cast<double>(dimension);
  const double decay = cumulate_p_c(c, y_w_, state);

  column_weights_.resize(popsize + 1);
  columns_.resize(dimension, popsize + 1);
  for (Index i = 0; i < popsize; ++i) {
    const double length = w[i] >= 0 ? d : population.z.col(i).squaredNorm() + smallest_squared_length;
    column_weights_[i] = c.c_mu * w[i] * d / length;
  }
  column_weights_[popsize] = c.c_1;
  columns_.leftCols(popsize) = population.y;
  columns_.col(popsize) = state.p_c;
  accumulate_weighted(decay, columns_, column_weights_, state.C);
}

/// B = V diag(D) V^T of C = V diag(D^2) V^T. The weights keep C positive definite but for rounding and for its changes
/// since the last decomposition, which the lengths of the steps do not know.
void CmaStep::decompose(CmaState& state, FullShape& shape) {
  if (!std::isfinite(state.C.trace())) return give_up(shape);
  if (has_scaled_root_) return decompose_scaled(state, shape);
  solver_.compute(state.C);
  eigenvalues_ = solver_.eigenvalues();
  const double largest = eigenvalues_.maxCoeff();
  if (solver_.info() != Eigen::Success || !(largest > 0)) return give_up(shape);
  if (!(eigenvalues_[0] > 0)) {
    for (double& value : eigenvalues_) value = value > 0 ? value : repaired_eigenvalue * largest;
    multiply_weighted(solver_.eigenvectors(), eigenvalues_, state.C);
  }
  eigenvalues_ = eigenvalues_.cwiseSqrt();
  multiply_weighted(solver_.eigenvectors(), eigenvalues_, shape.B);
  shape.bound.restart(shape.B);
}

void CmaStep::decompose_scaled(CmaState& state, FullShape& shape) {
  if (!(state.C.diagonal().minCoeff() > 0)) return give_up(shape);
  const Vector scale = state.C.diagonal().cwiseSqrt();
  const Vector inverse = scale.cwiseInverse();
  const Matrix correlations = scaled_both(inverse, state.C);
  if (!correlations.allFinite()) return give_up(shape);
  solver_.compute(correlations);
  eigenvalues_ = solver_.eigenvalues();
  if (solver_.info() != Eigen::Success) return give_up(shape);
  if (!(eigenvalues_[0] > 0)) {
    for (double& value : eigenvalues_) value = value > 0 ? value : repaired_eigenvalue;
    multiply_weighted(solver_.eigenvectors(), eigenvalues_, state.C);
    state.C = scaled_both(scale, state.C);
  }
  eigenvalues_ = eigenvalues_.cwiseSqrt();
  multiply_weighted(solver_.eigenvectors(), eigenvalues_, shape.B);
  shape.B = scaled_rows(scale, shape.B);
  shape.bound.restart(shape.B);
}

}  // namespace surefoot
