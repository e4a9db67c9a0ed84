#include "core/methods/xnes/low_rank_update.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/pack.hpp"
#include "core/linear_algebra/products.hpp"

namespace surefoot {
namespace {

// The Taylor polynomial of phi of degree 3 n - 1 leaves a remainder |T|^{3n}/(3n + 1)!, at these norms 2^-54.
constexpr std::array<double, 3> largest_norm = {0.0081, 0.0836, 0.2885};  // degrees 5, 8 and 11
constexpr int max_squarings = 64;                                         // beyond, the exponential overflows anyhow

// 1/(k + 1)!, the coefficients of phi.
constexpr std::array<double, 12> phi_coefficients = [] {
  std::array<double, 12> c{};
  double factorial = 1;
  for (std::size_t k = 0; k < c.size(); ++k) c[k] = 1 / (factorial *= static_cast<double>(k + 1));
  return c;
}();

/// c0 I + c1 T + c2 T2 into P, without a matrix I.
void polynomial(const double* c, const Matrix& T, const Matrix& T2, Matrix& P) {
  assign_entries(
      P, [c1 = c[1], c2 = c[2]](const auto& t, const auto& t2) SUREFOOT_KERNEL { return c1 * t + c2 * t2; }, T, T2);
  P.diagonal().array() += c[0];
}

void transpose(const Matrix& A, Matrix& At) {
  constexpr Index side = 8;
  const Index rows = A.rows();
  const Index columns = A.cols();
  for (Index i0 = 0; i0 < rows; i0 += side) {
    for (Index j = 0; j < columns; ++j) {
      const double* const from = A.data() + j * rows;
      for (Index i = i0; i < std::min(i0 + side, rows); ++i) At.data()[i * columns + j] = from[i];
    }
  }
}

}  // namespace

LowRankUpdate::LowRankUpdate(Index d, Index popsize, Executor* executor)
    : executor_(executor),
      zt_(popsize, d),
      K_(popsize, popsize),
      T_(popsize, popsize),
      T2_(popsize, popsize),
      T3_(popsize, popsize),
      phi_(popsize, popsize),
      core_(popsize, popsize),
      small_(popsize, popsize),
      left_(d, popsize),
      scaled_w_(popsize),
      term_(popsize),
      product_(popsize),
      sum_(popsize) {}

double LowRankUpdate::measure(const Matrix& z, const Vector& w) {
  z_ = &z;
  w_ = &w;
  transpose(z, zt_);
  multiply_symmetric(zt_, zt_, K_);
  G_sigma_ = K_.diagonal().dot(w) / static_cast<double>(z.rows());
  return G_sigma_;
}

void LowRankUpdate::exponentiate(double eta_B) {
  eta_B_ = eta_B;
  for (Index j = 0; j < K_.cols(); ++j) T_.col(j) = (eta_B / 2 * (*w_)[j]) * K_.col(j);
  compute_phi();
  for (Index j = 0; j < K_.cols(); ++j) core_.col(j) = (eta_B / 2) * w_->cwiseProduct(phi_.col(j));
}

/// Paterson and Stockmeyer's scheme in powers of T^3, of the lowest degree that is exact to rounding, after scaling:
/// phi(2 T) = phi(T) (I + T phi(T)/2).
void LowRankUpdate::compute_phi() {
  multiply(T_, T_, T2_);
  // As for a symmetric matrix: powers of T grow like those of its spectral radius, not of its norm.
  const double norm = std::sqrt(T2_.norm());
  std::size_t n = 0;
  while (n + 1 < largest_norm.size() && norm > largest_norm[n]) ++n;
  int squarings = 0;
  if (norm > largest_norm[n]) {
    std::frexp(std::min(norm / largest_norm[n], 0x1p64), &squarings);
    squarings = std::min(squarings, max_squarings);
    T_ *= std::ldexp(1.0, -squarings);
    T2_ *= std::ldexp(1.0, -2 * squarings);
  }
  multiply(T_, T2_, T3_);

  const double* c = phi_coefficients.data() + 3 * (n + 1);
  polynomial(c, T_, T2_, phi_);
  for (std::size_t block = 0; block <= n; ++block) {
    c -= 3;
    polynomial(c, T_, T2_, small_);
    accumulate_product(1, T3_, phi_, small_);
    phi_.swap(small_);
  }
  for (int i = 0; i < squarings; ++i) {
    multiply(T_, phi_, small_);
    small_ *= 0.5;
    T2_ = phi_;
    accumulate_product(1, T2_, small_, phi_);
    T_ *= 2;
  }
}

/// expm(-eta/2 G_B) q = exp(eta/2 G_sigma) (q + Z s), where s is the sum of x_1 = -eta/2 diag(w) Z^T q and
/// x_k = -eta/(2 k) diag(w) K x_{k-1}; with q a column of Z nothing but the last product has d rows.
void LowRankUpdate::transport(Vector& q) {
  constexpr int most_terms = 60;
  const double squared_length = K_(K_.rows() - 1, K_.cols() - 1);
  product_ = K_.col(K_.cols() - 1);
  sum_.setZero();
  for (int k = 1; k <= most_terms; ++k) {
    term_ = (-eta_B_ / (2 * k)) * w_->cwiseProduct(product_);
    sum_ += term_;
    product_.noalias() = K_ * term_;
    if (!(term_.dot(product_) > 1e-34 * squared_length)) break;
  }
  q.noalias() += *z_ * sum_;
  q *= elementary::exp(eta_B_ / 2 * G_sigma_);
}

/// |I + Z M Z^T| <= 1 + |Z|_F^2 |M|_F.
double LowRankUpdate::growth_bound() const {
  return elementary::exp(-eta_B_ / 2 * G_sigma_) * (1 + K_.trace() * core_.norm());
}

void LowRankUpdate::apply(const Matrix& y, Matrix& B) {
  const double c = elementary::exp(-eta_B_ / 2 * G_sigma_);
  core_ *= c;
  multiply(y, core_, left_);
  accumulate_product(c, left_, zt_, B, executor_);
}

void LowRankUpdate::add_gradient(const Cumulation& cumulation, Matrix& P) {
  scaled_w_ = cumulation.gain * *w_;
  accumulate_weighted(cumulation.decay, *z_, scaled_w_, P);
  P.diagonal().array() -= cumulation.gain * G_sigma_;
}

void LowRankUpdate::add_movement(double log_scale, const Cumulation& cumulation, Matrix& P) {
  add(*z_, zt_, log_scale, cumulation, P);
}

void LowRankUpdate::add_rotated_movement(const Matrix& O, double log_scale, const Cumulation& cumulation, Matrix& P) {
  rotated_.resize(z_->rows(), z_->cols());
  rotated_t_.resize(z_->cols(), z_->rows());
  multiply(O, *z_, rotated_);
  transpose(rotated_, rotated_t_);
  add(rotated_, rotated_t_, log_scale, cumulation, P);
}

/// expm(eta G_B) = c^2 (I + Z M Z^T)^2 = c^2 (I + Z (2 M + M K M) Z^T).
void LowRankUpdate::add(const Matrix& z, const Matrix& zt, double log_scale, const Cumulation& cumulation, Matrix& P) {
  const double log_factor = log_scale - eta_B_ * G_sigma_;
  multiply(K_, core_, small_);
  small_.diagonal().array() += 2;
  small_ *= cumulation.gain * elementary::exp(log_factor);
  multiply(core_, small_, T3_);
  multiply(z, T3_, left_);
  accumulate_symmetric(cumulation.decay, left_, zt, P);
  P.diagonal().array() += cumulation.gain * elementary::expm1(log_factor);
}

}  // namespace surefoot
