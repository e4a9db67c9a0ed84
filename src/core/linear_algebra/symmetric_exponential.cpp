#include "core/linear_algebra/symmetric_exponential.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/linear_algebra/pack.hpp"
#include "core/linear_algebra/products.hpp"

namespace surefoot {
namespace {

// Largest norm at which the backward error of the degree-12 polynomial is below 2^-53 [Bader2019, table 1]. With degree
// 8, which needs three products, typical steps at d = 10 need two to four squarings more.
constexpr double theta12 = 0.2996;

// Beyond 2^64 times that the exponential overflows anyhow.
constexpr int most_squarings = 64;

int squarings(double norm) {
  if (!(norm > theta12)) return 0;
  int exponent = 0;
  std::frexp(std::min(norm / theta12, 0x1p64), &exponent);  // 2^(exponent - 1) <= norm/theta12 < 2^exponent
  return std::min(exponent, most_squarings);
}

struct Coefficients {
  double c0, c1, c2, c3;
};

// Of B1 to B4 in T12 = B1 + (B2 + A6) A6, A6 = B3 + B4^2 [Bader2019, eq. 12].
constexpr Coefficients b1 = {-0.01860232051462055322, -0.00500702322573317730, -0.57342012296052226390,
                             -0.13339969394389205970};
constexpr Coefficients b2 = {4.6, 0.99287510353848683614, -0.13244556105279963884, 0.0017299};
constexpr Coefficients b3 = {0.21169311829980944294, 0.15822438471572672537, 0.16563516943672741501,
                             0.01078627793157924250};
constexpr Coefficients b4 = {0, -0.13181061013830184015, -0.02027855540589259079, -0.00675951846863086359};

// 1/k!
constexpr std::array<double, 15> taylor_coefficients = [] {
  std::array<double, 15> c{};
  double factorial = 1;
  for (std::size_t k = 0; k < c.size(); ++k) c[k] = 1 / (factorial *= k == 0 ? 1 : static_cast<double>(k));
  return c;
}();

}  // namespace

SymmetricExponential::SymmetricExponential(Index d)
    : identity_(Matrix::Identity(d, d)),
      A_(d, d),
      A2_(d, d),
      A3_(d, d),
      B1_(d, d),
      B2_(d, d),
      B3_(d, d),
      B4_(d, d),
      A6_(d, d),
      result_(d, d),
      q_(d, 1),
      Aq_(d, 1),
      A2q_(d, 1),
      sum_(d, 1),
      product_(d, 1) {}

const Matrix& SymmetricExponential::operator()(const Matrix& A) {
  // Products of polynomials of A are symmetric.
  A_ = A;
  multiply_symmetric(A_, A_, A2_);
  // The spectral norm is at most sqrt(|A^2|_F): about two thirds of |A|_F and half of |A|_1 at d = 10.
  squarings_ = squarings(std::sqrt(A2_.norm()));
  if (squarings_ > 0) {
    A_ *= std::ldexp(1.0, -squarings_);
    A2_ *= std::ldexp(1.0, -2 * squarings_);
  }
  multiply_symmetric(A_, A2_, A3_);
  compute_polynomials();
  multiply_add_symmetric(B3_, B4_, B4_, A6_);
  B2_ += A6_;
  multiply_add_symmetric(B1_, B2_, A6_, result_);

  for (int i = 0; i < squarings_; ++i) {
    multiply_symmetric(result_, result_, A6_);
    result_.swap(A6_);
  }
  return result_;
}

void SymmetricExponential::undo(Vector& q) {
  constexpr int most = 8;  // beyond, the exponential leaves nothing of q
  for (int i = 0; i < 1 << std::min(squarings_, most); ++i) undo_once(q);
}

/// The Taylor polynomial of degree 14 by Horner's scheme in -A^3: six products with vectors. The norm is at most
/// theta12, and so the remainder 1e-20.
void SymmetricExponential::undo_once(Vector& q) {
  q_ = q;
  multiply(A_, q_, Aq_);
  multiply(A2_, q_, A2q_);
  const double* c = taylor_coefficients.data() + 12;
  sum_ = c[0] * q_ - c[1] * Aq_ + c[2] * A2q_;
  while (c != taylor_coefficients.data()) {
    c -= 3;
    multiply(A3_, sum_, product_);
    sum_ = c[0] * q_ - c[1] * Aq_ + c[2] * A2q_ - product_;
  }
  q = sum_.col(0);
}

/// All four in one go: half the time of four expressions.
void SymmetricExponential::compute_polynomials() {
  for_all(A_.size(), [I = identity_.data(), A = A_.data(), A2 = A2_.data(), A3 = A3_.data(), B1 = B1_.data(),
                      B2 = B2_.data(), B3 = B3_.data(), B4 = B4_.data()](auto real, Index i) SUREFOOT_KERNEL {
    using Real = typename decltype(real)::type;
    const auto polynomial = [&](const Coefficients& c) SUREFOOT_KERNEL {
      return c.c1 * load<Real>(A + i) + c.c2 * load<Real>(A2 + i) + c.c3 * load<Real>(A3 + i) +
             c.c0 * load<Real>(I + i);
    };
    store(B1 + i, polynomial(b1));
    store(B2 + i, polynomial(b2));
    store(B3 + i, polynomial(b3));
    store(B4 + i, polynomial(b4));
  });
}

}  // namespace surefoot
