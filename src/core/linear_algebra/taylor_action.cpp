#include "core/linear_algebra/taylor_action.hpp"

#include "core/linear_algebra/pack.hpp"
#include "core/linear_algebra/products.hpp"

namespace surefoot {
namespace {

// The remainder of the exponential after 3 n terms, |A|^{3n}/(3n)!, is 2^-54 at these norms: 6, 9, 12, 15 and 18 terms.
constexpr std::array<double, 5> largest_norms = {0.0058, 0.0646, 0.2337, 0.5294, TaylorAction::largest_norm};

std::size_t fewest_terms(double norm) {
  std::size_t n = 0;
  while (n + 1 < largest_norms.size() && norm > largest_norms[n]) ++n;
  return 3 * (n + 2);
}

}  // namespace

/// By Horner's scheme in A^3.
void TaylorAction::operator()(const Coefficients& c, const Powers& powers, double factor, double norm, Vector& q) {
  const double f1 = factor;
  const double f2 = factor * factor;
  const double f3 = f2 * factor;
  multiply(powers.A, q, Aq_);
  multiply(powers.A2, q, A2q_);
  std::size_t k = fewest_terms(norm) - 3;
  assign_entries(
      sum_,
      [c0 = c[k], c1 = c[k + 1] * f1, c2 = c[k + 2] * f2](const auto& x, const auto& Ax, const auto& A2x)
          SUREFOOT_KERNEL { return c0 * x + c1 * Ax + c2 * A2x; },
      q, Aq_, A2q_);
  while (k > 0) {
    k -= 3;
    multiply(powers.A3, sum_, product_);
    assign_entries(
        sum_,
        [c0 = c[k], c1 = c[k + 1] * f1, c2 = c[k + 2] * f2, f3](const auto& x, const auto& Ax, const auto& A2x,
                                                                const auto& higher)
            SUREFOOT_KERNEL { return c0 * x + c1 * Ax + c2 * A2x + f3 * higher; },
        q, Aq_, A2q_, product_);
  }
  q.swap(sum_);
}

}  // namespace surefoot
