#include "core/methods/cma/cma_step.hpp"

#include <cmath>
#include <limits>

#include "core/expected_norm.hpp"
#include "core/linear_algebra/products.hpp"
#include "core/methods/cma/cumulation.hpp"

namespace surefoot {
namespace {

// Keeps the division by the length of a step that is zero finite; the cmaes library's value.
constexpr double smallest_squared_length = 1e-8;

// What rounding has made negative becomes this part of the largest eigenvalue. The cmaes library takes 1e-8 itself;
// here C has the scale that the start gives it.
constexpr double repaired_eigenvalue = 1e-8;

void give_up(FullShape& shape) {
  shape.B.setConstant(std::numeric_limits<double>::quiet_NaN());
  shape.bound.restart(shape.B);
}

}  // namespace

CmaState::CmaState(const Normal<FullShape>& normal)
    : C(normal.shape.B * normal.shape.B.transpose()),
      p_sigma(Vector::Zero(normal.dimension())),
      p_c(Vector::Zero(normal.dimension())) {}

void CmaState::visit(StateVisitor& visitor) {
  visitor.matrix("C", C);
  visitor.vector("p_sigma", p_sigma);
  visitor.vector("p_c", p_c);
  visitor.integer("g", g);
}

CmaStep::CmaStep(Index dimension)
    : chi_(expected_norm(dimension)), y_w_(dimension), z_w_(dimension), solver_(dimension), eigenvalues_(dimension) {}

/// The old sigma and the old C are in y and z.
void CmaStep::operator()(const CmaConstants& c, const Population<FullShape>& population, const Vector& w,
                         Normal<FullShape>& normal, CmaState& state) {
  positive_w_ = w.cwiseMax(0);
  y_w_.noalias() = population.y * positive_w_;
  z_w_.noalias() = population.z * positive_w_;  // C^{-1/2} y_w
  ++state.g;

  normal.mean += c.c_m * normal.sigma * y_w_;
  cumulate(c.c_sigma, c.mu_eff, z_w_, state.p_sigma);
  normal.sigma *= std::exp(c.c_sigma / c.d_sigma * (state.p_sigma.norm() / chi_ - 1));
  update_covariance(c, population, w, is_path_short(c.c_sigma, chi_, state.g, state.p_sigma), state);
  if (!std::isfinite(state.C.trace()))
    return give_up(normal.shape);  // a sum of squares overflows on the diagonal first
  if (state.g % c.decompose_every == 0) decompose(state, normal.shape);
}

/// p_c, and C := (1 + c_1 delta - c_1 - c_mu sum_i w_i) C + c_1 p_c p_c^T + c_mu sum_i w_i y_i y_i^T, where a step with
/// a negative weight counts as if it had the length of an average one.
void CmaStep::update_covariance(const CmaConstants& c, const Population<FullShape>& population, const Vector& w,
                                bool is_path_short, CmaState& state) {
  const Index popsize = w.size();
  const Index dimension = state.p_c.size();
  const auto d = static_cast<double>(dimension);
  if (!is_path_short) y_w_.setZero();
  cumulate(c.c_c, c.mu_eff, y_w_, state.p_c);
  const double delta = is_path_short ? 0 : c.c_c * (2 - c.c_c);
  const double decay = 1 + c.c_1 * delta - c.c_1 - c.c_mu * c.w.sum();

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

}  // namespace surefoot
