#include "core/cma.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "core/expected_norm.hpp"
#include "core/invalid_option.hpp"
#include "core/products.hpp"

namespace surefoot {
namespace {

// Keeps the division by the length of a step that is zero finite; the cmaes library's value.
constexpr double smallest_squared_length = 1e-8;

// What rounding has made negative becomes this part of the largest eigenvalue. The cmaes library takes 1e-8 itself;
// here C has the scale that the start gives it.
constexpr double repaired_eigenvalue = 1e-8;

/// p := (1 - c) p + sqrt(c (2 - c) mu_eff) mean.
void cumulate(double c, double mu_eff, const Vector& mean, Vector& p) {
  p = (1 - c) * p + std::sqrt(c * (2 - c) * mu_eff) * mean;
}

}  // namespace

Cma::Cma(StrategyContext context)
    : constants_(cma_constants(context.start.dimension(),
                               context.popsize.value_or(default_popsize(context.start.dimension())))),
      chi_(expected_norm(context.start.dimension())),
      distribution_(std::move(context.start)),
      C_(distribution_.B * distribution_.B.transpose()),
      p_sigma_(Vector::Zero(distribution_.dimension())),
      p_c_(Vector::Zero(distribution_.dimension())),
      ranking_(constants_.w.size()),
      population_(distribution_.dimension(), constants_.w.size()),
      w_(constants_.w.size()),
      positive_w_(constants_.w.size()),
      y_w_(distribution_.dimension()),
      z_w_(distribution_.dimension()),
      columns_(distribution_.dimension(), constants_.w.size() + 1),
      column_weights_(constants_.w.size() + 1),
      solver_(distribution_.dimension()),
      eigenvalues_(distribution_.dimension()) {
  if (context.learning_rate.text() != "auto") {
    reject("learning_rate", "'" + context.learning_rate.text() + "'",
           "method cma sets its own rates; leave it out or say auto");
  }
  decompose();
}

const Matrix& Cma::ask(std::uint64_t generation, NormalSource& normals) {
  population_.sample(distribution_, generation, normals);
  return population_.x;
}

void Cma::tell(const Matrix& candidates, const Vector& values) {
  population_.replace(candidates, distribution_);
  if (!ranking_.sort(values)) return;
  ranking_.assign(constants_.w, w_);
  move();
}

/// [Hansen2016, app. A]. The old sigma and the old C are in y and z.
void Cma::move() {
  auto& [m, sigma, B] = distribution_;
  const CmaConstants& c = constants_;
  positive_w_ = w_.cwiseMax(0);
  y_w_.noalias() = population_.y * positive_w_;
  z_w_.noalias() = population_.z * positive_w_;  // C^{-1/2} y_w
  ++g_;

  m += c.c_m * sigma * y_w_;
  cumulate(c.c_sigma, c.mu_eff, z_w_, p_sigma_);
  sigma *= std::exp(c.c_sigma / c.d_sigma * (p_sigma_.norm() / chi_ - 1));
  update_covariance(is_path_short());
  if (g_ % c.decompose_every == 0) decompose();
}

/// h_sigma. A long path means that sigma is far too small; the rank-one update then waits, so that C does not grow in
/// its place. The exponent is 4 in the first generation, as in the cmaes library; readings that begin with 2 exist.
bool Cma::is_path_short() const {
  const auto d = static_cast<double>(p_sigma_.size());
  const double variance = 1 - std::pow(1 - constants_.c_sigma, 2 * static_cast<double>(g_ + 1));
  return p_sigma_.norm() / std::sqrt(variance) < (1.4 + 2 / (d + 1)) * chi_;
}

/// p_c, and C := (1 + c_1 delta - c_1 - c_mu sum_i w_i) C + c_1 p_c p_c^T + c_mu sum_i w_i y_i y_i^T, where a step with
/// a negative weight counts as if it had the length of an average one.
void Cma::update_covariance(bool is_short) {
  const CmaConstants& c = constants_;
  const Index popsize = w_.size();
  const auto d = static_cast<double>(p_c_.size());
  if (!is_short) y_w_.setZero();
  cumulate(c.c_c, c.mu_eff, y_w_, p_c_);
  const double delta = is_short ? 0 : c.c_c * (2 - c.c_c);
  const double decay = 1 + c.c_1 * delta - c.c_1 - c.c_mu * c.w.sum();

  for (Index i = 0; i < popsize; ++i) {
    const double length = w_[i] >= 0 ? d : population_.z.col(i).squaredNorm() + smallest_squared_length;
    column_weights_[i] = c.c_mu * w_[i] * d / length;
  }
  column_weights_[popsize] = c.c_1;
  columns_.leftCols(popsize) = population_.y;
  columns_.col(popsize) = p_c_;
  accumulate_weighted(decay, columns_, column_weights_, C_);
}

/// B = V diag(D) V^T of C = V diag(D^2) V^T. The weights keep C positive definite but for rounding and for its changes
/// since the last decomposition, which the lengths of the steps do not know. Eigenvalues that are not positive are
/// raised.
void Cma::decompose() {
  Matrix& B = distribution_.B;
  if (!std::isfinite(C_.trace())) return;  // the run ends: it is not finite
  solver_.compute(C_);
  eigenvalues_ = solver_.eigenvalues();
  const double largest = eigenvalues_.maxCoeff();
  if (solver_.info() != Eigen::Success || !(largest > 0)) {
    B.setConstant(std::numeric_limits<double>::quiet_NaN());  // the run ends here too
    return;
  }
  if (!(eigenvalues_[0] > 0)) {
    for (double& value : eigenvalues_) value = value > 0 ? value : repaired_eigenvalue * largest;
    multiply_weighted(solver_.eigenvectors(), eigenvalues_, C_);
  }
  eigenvalues_ = eigenvalues_.cwiseSqrt();
  multiply_weighted(solver_.eigenvectors(), eigenvalues_, B);
}

/// A common factor is one of sigma. Others change C and the path of C, which lives in the same coordinates.
void Cma::correct(const Vector& shift, const Vector& factors) {
  distribution_.mean += shift;
  if ((factors.array() == factors[0]).all()) {
    distribution_.sigma *= factors[0];
    return;
  }
  C_ = factors.asDiagonal() * C_ * factors.asDiagonal();
  p_c_ = factors.asDiagonal() * p_c_;
  decompose();
}

/// A sum of squares overflows on the diagonal first.
bool Cma::finite() const {
  const auto& [m, sigma, B] = distribution_;
  return std::isfinite(C_.trace()) && std::isfinite(B.trace()) && std::isfinite(sigma) && m.allFinite();
}

/// c_m, the rate of ln sigma and that of C.
LearningRates Cma::rates() const {
  const CmaConstants& c = constants_;
  return {c.c_m, c.c_sigma / c.d_sigma, c.c_1 + c.c_mu};
}

void Cma::visit(StateVisitor& visitor) {
  visitor.vector("m", distribution_.mean);
  visitor.scalar("sigma", distribution_.sigma);
  visitor.matrix("B", distribution_.B);
  visitor.matrix("C", C_);
  visitor.vector("p_sigma", p_sigma_);
  visitor.vector("p_c", p_c_);
  visitor.integer("g", g_);
}

}  // namespace surefoot
