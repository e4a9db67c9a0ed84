#include <array>
#include <cmath>

#include "core/elementary/double_double.hpp"
#include "core/elementary/elementary.hpp"
#include "core/elementary/exp_of_sum.hpp"

namespace surefoot {
namespace {

/// (1 + 2 x) e^(x^2) erfc(x) for x >= 0 as a polynomial in t = (x - 4)/(x + 4), which makes a short interval of all x;
/// the Chebyshev fit on [0, 28], computed with 200 bits, differs by less than 2e-18.
double scaled_erfc(double x) {
  constexpr std::array coefficients = {
      0x1.5b62d008c2d94p-30,  0x1.00cd8e2f991c3p-29,  -0x1.e432644b5660ap-27, -0x1.353a87be1712dp-26,
      0x1.d8b4353ca5555p-24,  0x1.40eafd5947706p-24,  -0x1.bb2bbabb02ec5p-21, 0x1.3b713b970cad2p-22,
      0x1.7f2d5af276b00p-18,  -0x1.788ca4d342b82p-17, -0x1.9959f4cc5a01cp-16, 0x1.3be068698b9ccp-13,
      -0x1.a1df1e2a70512p-13, -0x1.8d4a9c3d62797p-11, 0x1.49c6727af5d87p-8,   -0x1.096238828c1cbp-6,
      0x1.3079edf6aa5a8p-5,   -0x1.0fb06dfe56142p-4,  0x1.7fee004e112c3p-4,   -0x1.9ddb23c3e8874p-4,
      0x1.16ecefcfa540ep-4,   0x1.f7f5df66fd6a7p-7,   -0x1.1df1ad154a28fp-3,  0x1.3ba5916e9fd7fp+0};
  const double t = (x - 4) / (x + 4);
  double sum = 0;
  for (const double c : coefficients) sum = sum * t + c;
  return sum / (1 + 2 * x);
}

}  // namespace

double elementary::erfc(double x) {
  if (std::isnan(x)) return x;
  if (x < 0) return 2 - erfc(-x);
  if (x > 28) return 0;
  const DoubleDouble square = exact_product(x, x);
  return exp_of_sum(-square.high, -square.low) * scaled_erfc(x);
}

}  // namespace surefoot
