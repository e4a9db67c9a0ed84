#include "core/methods/xnes/low_rank_update.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/pack.hpp"
#include "core/linear_algebra/products.hpp"
#include "core/linear_algebra/transpose.hpp"

namespace surefoot {
namespace {

// The Taylor polynomial of phi of degree 3 n leaves a remainder |T|^{3n+1}/(3n + 2)!, at these norms 2^-54.
constexpr std::array<double, 3> largest_norm = {0.0217, 0.1362, 0.3896};  // degrees 6, 9 and 12
constexpr int max_squarings = 64;                                         // beyond, the exponential overflows anyhow

// 1/(k + 1)!, the coefficients of phi.
constexpr std::array<double, 13> phi_coefficients = [] {
  std::array<double, 13> c{};
  double factorial = 1;
  for (std::size_t k = 0; k < c.size(); ++k) c[k] = 1 / (factorial *= static_cast<double>(k + 1));
  return c;
}();

// The same of phi(-x).
constexpr TaylorAction::Coefficients inverse_phi_coefficients = [] {
  TaylorAction::Coefficients c{};
  c[0] = 1;
  for (std::size_t k = 1; k < c.size(); ++k) c[k] = -c[k - 1] / static_cast<double>(k + 1);
  return c;
}();

}  // namespace

LowRankUpdate::LowRankUpdate(Index d, Index popsize, Executor* executor)
    : executor_(executor),
      identity_(Matrix::Identity(popsize, popsize)),
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
      action_(popsize),
      term_(popsize),
      product_(popsize),
      sum_(popsize),
      shift_(d) {}

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
  scale_columns(eta_B / 2, K_, *w_, T_);
  compute_phi();
  for_all_columns(K_.rows(), K_.cols(),
                  [half = eta_B / 2, n = K_.rows(), w = w_->data(), phi = phi_.data(), core = core_.data()](
                      auto real, Index i, Index j) SUREFOOT_KERNEL {
                    using Real = typename decltype(real)::type;
                    store(core + j * n + i, half * (load<Real>(w + i) * load<Real>(phi + j * n + i)));
                  });
}

/// Paterson and Stockmeyer's scheme in powers of T^3, of the lowest degree that is exact to rounding, after scaling:
/// phi(2 T) = phi(T) (I + T phi(T)/2).
void LowRankUpdate::compute_phi() {
  multiply(T_, T_, T2_);
  // As for a symmetric matrix: powers of T grow like those of its spectral radius, not of its norm.
  norm_ = std::sqrt(T2_.norm());
  std::size_t n = 0;
  while (n + 1 < largest_norm.size() && norm_ > largest_norm[n]) ++n;
  int squarings = 0;
  if (norm_ > largest_norm[n]) {
    std::frexp(std::min(norm_ / largest_norm[n], 0x1p64), &squarings);
    squarings = std::min(squarings, max_squarings);
  }
  scale_ = std::ldexp(1.0, -squarings);
  if (squarings > 0) {
    T_ *= scale_;
    T2_ *= scale_ * scale_;
  }
  multiply(T_, T2_, T3_);

  const double* c = phi_coefficients.data() + 3 * (n + 1);
  assign_entries(
      phi_,
      [c = std::array{c[0], c[1], c[2], c[3]}](const auto& I, const auto& T, const auto& T2, const auto& T3)
          SUREFOOT_KERNEL { return c[0] * I + c[1] * T + c[2] * T2 + c[3] * T3; },
      identity_, T_, T2_, T3_);
  for (std::size_t block = 0; block <= n; ++block) {
    c -= 3;
    assign_entries(
        small_,
        [c = std::array{c[0], c[1], c[2]}](const auto& I, const auto& T, const auto& T2)
            SUREFOOT_KERNEL { return c[0] * I + c[1] * T + c[2] * T2; },
        identity_, T_, T2_);
    multiply_add(small_, T3_, phi_, core_);
    phi_.swap(core_);
  }
  for (int i = 0; i < squarings; ++i) {
    multiply(T_, phi_, small_);
    small_ *= std::ldexp(0.5, i);
    multiply_add(phi_, phi_, small_, core_);
    phi_.swap(core_);
  }
}

/// expm(-eta/2 G_B) q = exp(eta/2 G_sigma) (q + Z s), where s = -eta/2 diag(w) phi(-T) Z^T q. With q a column of Z,
/// Z^T q is one of K, and nothing but the last product has d rows. A long way is gone in parts, of which each changes
/// Z^T q by -T phi(-T) Z^T q.
void LowRankUpdate::transport(Vector& q) {
  const int parts = TaylorAction::parts(norm_);
  const double factor = 1 / (parts * scale_);
  product_ = K_.col(K_.cols() - 1);
  sum_.setZero();
  for (int i = 0; i < parts; ++i) {
    term_ = product_;
    action_(inverse_phi_coefficients, {T_, T2_, T3_}, factor, norm_ / parts, term_);
    sum_ -= (eta_B_ / (2 * parts)) * w_->cwiseProduct(term_);
    if (parts > 1) product_.noalias() -= factor * (T_ * term_);
  }
  multiply(*z_, sum_, shift_);
  q = elementary::exp(eta_B_ / 2 * G_sigma_) * (q + shift_);
}

/// |I + Z M Z^T| <= 1 + |Z|_F^2 |M|_F.
double LowRankUpdate::growth_bound() const {
  return elementary::exp(-eta_B_ / 2 * G_sigma_) * (1 + K_.trace() * core_.norm());
}

void LowRankUpdate::apply(const Matrix& y, Matrix& B) {
  const double c = elementary::exp(-eta_B_ / 2 * G_sigma_);
  assign_entries(
      core_, [c](const auto& entry) SUREFOOT_KERNEL { return c * entry; }, core_);
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
  multiply(core_, small_, phi_);
  multiply(z, phi_, left_);
  accumulate_symmetric(cumulation.decay, left_, zt, P);
  P.diagonal().array() += cumulation.gain * elementary::expm1(log_factor);
}

}  // namespace surefoot
