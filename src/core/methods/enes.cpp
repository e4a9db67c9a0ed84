#include "core/methods/enes.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "core/geometric_mean.hpp"
#include "core/invalid_option.hpp"
#include "core/linear_algebra/products.hpp"

namespace surefoot {
namespace {

/// max(0, popsize/2 - k) of rank k = 1, 2, ..., divided by the first.
Vector linear_utilities(Index popsize) {
  const double half = static_cast<double>(popsize) / 2;
  Vector u(popsize);
  for (Index i = 0; i < popsize; ++i) u[i] = std::max(0.0, half - static_cast<double>(i + 1));
  return u / u[0];
}

/// The lower triangular root of A A^T with a positive diagonal, without forming the product: A^T = Q R gives R^T.
void make_triangular(Matrix& A) {
  if (A.isLowerTriangular(0) && A.diagonal().minCoeff() > 0) return;
  const Matrix R = Eigen::HouseholderQR<Matrix>(A.transpose()).matrixQR().triangularView<Eigen::Upper>();
  for (Index k = 0; k < A.cols(); ++k) A.col(k) = R(k, k) < 0 ? Vector(-R.row(k)) : Vector(R.row(k));
}

// An additive step may turn a diagonal element over; each keeps this share of its length.
constexpr double smallest_share = 0.1;

}  // namespace

Slots slots_of(EnesConstants& c) { return {{"eta", {&c.eta}}}; }

Enes::Enes(const StrategyContext& context, const EnesConstants& constants)
    : Sampler(context.start, *context.popsize, Mirroring::none, context.executor),
      own_{require_positive("method enes: eta", constants.eta)},
      utilities_(linear_utilities(popsize())),
      u_(popsize()),
      delta_(normal_.dimension()),
      s_(normal_.dimension()),
      g_(normal_.dimension()),
      sum_(normal_.dimension(), normal_.dimension()),
      weighted_sum_(normal_.dimension(), normal_.dimension()),
      square_(normal_.dimension()),
      weighted_square_(normal_.dimension()) {
  make_triangular(normal_.shape.B);
  normal_.shape.bound.restart(normal_.shape.B);
}

/// The natural gradient of ln p(x_i) has the closed form y_i = B z_i of the mean and B M_i^T of the shape, where M_i is
/// the strict upper triangle of z_i z_i^T plus diag((z_ij^2 - 1)/2) (docs/reference/methods.md). The blocks of the
/// Fisher matrix are the mean and the columns of B. Each has the baseline b = sum_i u_i |g_i|^2/sum_i |g_i|^2.
void Enes::learn(const Ranking& ranking, const Vector& /*values*/) {
  ranking.assign(utilities_, u_);
  sum_.setZero();
  weighted_sum_.setZero();
  square_.setZero();
  weighted_square_.setZero();
  for (Index i = 0; i < population_.size(); ++i) add_gradient(i);
  move_mean();
  move_shape();
}

/// m += eta/popsize sum_i (u_i - b) y_i, with the old shape.
void Enes::move_mean() {
  const Vector squares = population_.y.colwise().squaredNorm();
  const double b = u_.dot(squares) / squares.sum();
  const Vector weights = u_.array() - b;
  multiply(population_.y, weights, delta_);
  normal_.mean += (own_.eta / static_cast<double>(u_.size()) * normal_.sigma) * delta_;
}

/// Column k of B M_i^T is z_ik s_k - (z_ik^2 + 1)/2 B_k with s_k = sum_{j >= k} z_ij B_j: O(d^2) for a candidate.
void Enes::add_gradient(Index i) {
  const Matrix& B = normal_.shape.B;
  const Index d = B.rows();
  const double u = u_[i];
  s_.setZero();
  for (Index k = d - 1; k >= 0; --k) {
    const double z = population_.z(k, i);
    const Index rows = d - k;
    auto s = s_.tail(rows);
    auto g = g_.tail(rows);
    s += z * B.col(k).tail(rows);
    g = z * s - (z * z + 1) / 2 * B.col(k).tail(rows);
    const double square = g.squaredNorm();
    square_[k] += square;
    weighted_square_[k] += u * square;
    sum_.col(k).tail(rows) += g;
    weighted_sum_.col(k).tail(rows) += u * g;
  }
}

/// B += eta/popsize sum_i (u_i - b_k) g_ik in column k. What the diagonal has in common goes to sigma.
void Enes::move_shape() {
  Matrix& B = normal_.shape.B;
  for (Index k = 0; k < B.cols(); ++k) {
    weighted_sum_.col(k) -= weighted_square_[k] / square_[k] * sum_.col(k);
  }
  double step = own_.eta / static_cast<double>(u_.size());
  const auto is_too_long = [&] {
    return ((B.diagonal() + step * weighted_sum_.diagonal()).array() < smallest_share * B.diagonal().array()).any();
  };
  while (is_too_long()) step /= 2;
  B += step * weighted_sum_;
  const double common = geometric_mean(B.diagonal());
  B /= common;
  normal_.sigma *= common;
  normal_.shape.bound.restart(B);
}

void Enes::report(Measures& measures) const {
  measures.add("eta_m", own_.eta);
  measures.add("eta_B", own_.eta);
}

}  // namespace surefoot
