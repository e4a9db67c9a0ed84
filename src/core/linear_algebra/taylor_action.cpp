#include "core/linear_algebra/taylor_action.hpp"

#include <algorithm>

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

/// Numbers of a vector that fit into two and into three wide packs, or into as many registers of a narrower kind.
constexpr Index two_packs = 2 * lanes<WidePacks::Real>;
constexpr Index three_packs = 3 * lanes<WidePacks::Real>;

/// The action on a short vector as one function, in which the sums stay in registers: less than half of the
/// instructions of products and sums by themselves, to the same bits. `width` is the numbers that the packs have room
/// for; the last packs may overlap those before.
template <class Real, Index width>
class ShortAction {
 public:
  SUREFOOT_INLINE explicit ShortAction(Index dimension) : d_(dimension) {
    for (std::size_t p = 0; p < packs; ++p) at_[p] = std::min(static_cast<Index>(p) * lanes<Real>, d_ - lanes<Real>);
  }

  /// By Horner's scheme in A^3.
  SUREFOOT_INLINE void operator()(const TaylorAction::Coefficients& c, std::size_t k,
                                  const TaylorAction::Powers& powers, double f1, double* q, double* sum) const {
    const double f2 = f1 * f1;
    const double f3 = f2 * f1;
    Numbers Aq = {};
    Numbers A2q = {};
    add_products(powers.A.data(), powers.A2.data(), q, Aq, A2q);
    put_terms(c[k], c[k + 1] * f1, c[k + 2] * f2, q, Aq, A2q, sum);
    while (k > 0) {
      k -= 3;
      Numbers higher = {};
      add_product(powers.A3.data(), sum, higher);
      put_terms(c[k], c[k + 1] * f1, c[k + 2] * f2, q, Aq, A2q, sum, f3, higher);
    }
  }

 private:
  static constexpr std::size_t packs = width / lanes<Real>;
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays): std::array forgets that packs are packs
  using Numbers = Real[packs];

  /// c += A b.
  SUREFOOT_INLINE void add_product(const double* A, const double* b, Numbers& c) const {
    for (Index k = 0; k < d_; ++k) {
#pragma GCC unroll 6
      for (std::size_t p = 0; p < packs; ++p) c[p] += load<Real>(A + at_[p]) * b[k];
      A += d_;
    }
  }

  /// The same of two matrices in turns, so that fewer sums wait for the one before.
  SUREFOOT_INLINE void add_products(const double* A, const double* B, const double* b, Numbers& Ab, Numbers& Bb) const {
    for (Index k = 0; k < d_; ++k) {
#pragma GCC unroll 6
      for (std::size_t p = 0; p < packs; ++p) {
        Ab[p] += load<Real>(A + at_[p]) * b[k];
        Bb[p] += load<Real>(B + at_[p]) * b[k];
      }
      A += d_;
      B += d_;
    }
  }

  /// sum := c0 q + c1 Aq + c2 A2q + ...
  SUREFOOT_INLINE void put_terms(double c0, double c1, double c2, const double* q, const Numbers& Aq,
                                 const Numbers& A2q, double* sum) const {
#pragma GCC unroll 6
    for (std::size_t p = 0; p < packs; ++p) store(sum + at_[p], c0 * load<Real>(q + at_[p]) + c1 * Aq[p] + c2 * A2q[p]);
  }
  SUREFOOT_INLINE void put_terms(double c0, double c1, double c2, const double* q, const Numbers& Aq,
                                 const Numbers& A2q, double* sum, double f3, const Numbers& higher) const {
#pragma GCC unroll 6
    for (std::size_t p = 0; p < packs; ++p) {
      store(sum + at_[p], c0 * load<Real>(q + at_[p]) + c1 * Aq[p] + c2 * A2q[p] + f3 * higher[p]);
    }
  }

  Index d_;
  Index at_[packs] = {};  // NOLINT(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays): the same
};

}  // namespace

void TaylorAction::operator()(const Coefficients& c, const Powers& powers, double factor, double norm, Vector& q) {
  if (q.size() > two_packs && q.size() <= three_packs) return act_on_short<three_packs>(c, powers, factor, norm, q);
  if (q.size() > two_packs / 2 && q.size() <= two_packs) return act_on_short<two_packs>(c, powers, factor, norm, q);
  act_on_long(c, powers, factor, norm, q);
}

template <Index width>
void TaylorAction::act_on_short(const Coefficients& c, const Powers& powers, double factor, double norm, Vector& q) {
  with_widest_packs([&, k = fewest_terms(norm) - 3](auto packs) SUREFOOT_KERNEL {
    using Real = typename decltype(packs)::Real;
    ShortAction<Real, width>(q.size())(c, k, powers, factor, q.data(), sum_.data());
  });
  q.swap(sum_);
}

/// By Horner's scheme in A^3.
void TaylorAction::act_on_long(const Coefficients& c, const Powers& powers, double factor, double norm, Vector& q) {
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
