#include "core/symmetric_exponential.hpp"

#include <algorithm>
#include <cmath>

#include "core/products.hpp"

namespace surefoot {
namespace {

// Largest 1-norm at which the backward error of the degree-8 polynomial is below 2^-53 [Bader2019, table 1].
constexpr double theta8 = 4.99e-2;

// Beyond 2^64 times that the exponential overflows anyhow.
constexpr int max_squarings = 64;

int squarings(double norm) {
  if (!(norm > theta8)) return 0;
  return static_cast<int>(std::min<double>(max_squarings, std::ceil(std::log2(norm / theta8))));
}

}  // namespace

SymmetricExponential::SymmetricExponential(Index d)
    : scaled_(d, d), A2_(d, d), A4_(d, d), left_(d, d), right_(d, d), result_(d, d) {}

const Matrix& SymmetricExponential::operator()(const Matrix& A) {
  const int s = squarings(A.cwiseAbs().colwise().sum().maxCoeff());
  scaled_ = std::ldexp(1.0, -s) * A;

  // T8(A) = y0 I + y1 A + y2 A^2 + A8 with two nested products [Bader2019, eq. 10].
  const double root = std::sqrt(177.0);
  const double x3 = 2.0 / 3;
  const double x1 = x3 * (1 + root) / 88;
  const double x2 = x3 * (1 + root) / 352;
  const double x4 = (-271 + 29 * root) / (315 * x3);
  const double x5 = 11 * (-1 + root) / (1260 * x3);
  const double x6 = 11 * (-9 + root) / (5040 * x3);
  const double x7 = (89 - root) / (5040 * x3 * x3);
  const double y2 = (857 - 58 * root) / 630;

  multiply_symmetric(scaled_, scaled_, A2_);
  right_ = x1 * scaled_ + x2 * A2_;
  multiply_symmetric(A2_, right_, A4_);
  left_ = x3 * A2_ + A4_;
  right_ = x5 * scaled_ + x6 * A2_ + x7 * A4_;
  right_.diagonal().array() += x4;
  multiply_symmetric(left_, right_, result_);
  result_ += scaled_ + y2 * A2_;
  result_.diagonal().array() += 1;

  for (int i = 0; i < s; ++i) {
    multiply_symmetric(result_, result_, left_);
    result_.swap(left_);
  }
  return result_;
}

}  // namespace surefoot
