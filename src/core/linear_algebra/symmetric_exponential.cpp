#include "core/linear_algebra/symmetric_exponential.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/linear_algebra/dot_product.hpp"
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

// (-1)^k/k!
constexpr TaylorAction::Coefficients inverse_coefficients = [] {
  TaylorAction::Coefficients c{};
  c[0] = 1;
  for (std::size_t k = 1; k < c.size(); ++k) c[k] = -c[k - 1] / static_cast<double>(k);
  return c;
}();

}  // namespace

SymmetricExponential::SymmetricExponential(Index d)
    : identity_(Matrix::Identity(d, d)),
      A2_(d, d),
      A3_(d, d),
      B1_(d, d),
      B2_(d, d),
      B3_(d, d),
      B4_(d, d),
      A6_(d, d),
      result_(d, d),
      action_(d) {}

const Matrix& SymmetricExponential::operator()(const Matrix& A) {
  // Products of polynomials of A are symmetric.
  A_ = &A;
  multiply_symmetric(A, A, A2_);
  // The spectral norm is at most sqrt(|A^2|_F): about two thirds of |A|_F and half of |A|_1 at d = 10.
  norm_ = std::sqrt(std::sqrt(dot_product(A2_, A2_)));
  const int count = squarings(norm_);
  multiply_symmetric(A, A2_, A3_);
  compute_polynomials(std::ldexp(1.0, -count));
  multiply_add_symmetric(B3_, B4_, B4_, A6_);
  assign_entries(
      B2_, [](const auto& B2, const auto& A6) SUREFOOT_KERNEL { return B2 + A6; }, B2_, A6_);
  multiply_add_symmetric(B1_, B2_, A6_, result_);

  for (int i = 0; i < count; ++i) {
    multiply_symmetric(result_, result_, A6_);
    result_.swap(A6_);
  }
  return result_;
}

void SymmetricExponential::undo(Vector& q) {
  const int parts = TaylorAction::parts(norm_);
  for (int i = 0; i < parts; ++i) {
    action_(inverse_coefficients, {*A_, A2_, A3_}, 1.0 / parts, norm_ / parts, q);
  }
}

/// Those of factor A, all four in one go: half the time of four expressions.
void SymmetricExponential::compute_polynomials(double factor) {
  for_all(A_->size(), [factor, I = identity_.data(), A = A_->data(), A2 = A2_.data(), A3 = A3_.data(), B1 = B1_.data(),
                       B2 = B2_.data(), B3 = B3_.data(), B4 = B4_.data()](auto real, Index i) SUREFOOT_KERNEL {
    using Real = typename decltype(real)::type;
    const auto without_constant = [&](Coefficients c) SUREFOOT_KERNEL {
      c.c1 *= factor;
      c.c2 *= factor * factor;
      c.c3 *= factor * factor * factor;
      return c.c1 * load<Real>(A + i) + c.c2 * load<Real>(A2 + i) + c.c3 * load<Real>(A3 + i);
    };
    const auto polynomial = [&](const Coefficients& c)
                                SUREFOOT_KERNEL { return without_constant(c) + c.c0 * load<Real>(I + i); };
    store(B1 + i, polynomial(b1));
    store(B2 + i, polynomial(b2));
    store(B3 + i, polynomial(b3));
    store(B4 + i, without_constant(b4));
  });
}

}  // namespace surefoot
