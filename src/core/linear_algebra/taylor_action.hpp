#pragma once

#include <array>

#include "surefoot/types.hpp"

namespace surefoot {

/// A Taylor polynomial of a matrix times a vector, which takes products with vectors only.
class TaylorAction {
 public:
  static constexpr std::size_t terms = 18;
  using Coefficients = std::array<double, terms>;  // of the powers 0, 1, ...

  /// Up to this norm the remainder of the exponential, |A|^18/18!, is below rounding.
  static constexpr double largest_norm = 0.944;

  /// Into so many equal parts a matrix of this norm is to be divided. There are no more of them than leave nothing of a
  /// vector.
  static int parts(double norm) {
    constexpr int most = 1 << 8;
    int count = 1;
    while (count < most && norm > count * largest_norm) count *= 2;
    return count;
  }

  /// A matrix A and its powers.
  struct Powers {
    const Matrix& A;
    const Matrix& A2;
    const Matrix& A3;
  };

  explicit TaylorAction(Index dimension) : Aq_(dimension), A2q_(dimension), product_(dimension), sum_(dimension) {}

  /// q := p(factor A) q, where `norm` is a bound on that of factor A, and the coefficients of p fall at least like
  /// those of the exponential.
  void operator()(const Coefficients& c, const Powers& powers, double factor, double norm, Vector& q);

 private:
  template <Index width>
  void act_on_short(const Coefficients& c, const Powers& powers, double factor, double norm, Vector& q);
  void act_on_long(const Coefficients& c, const Powers& powers, double factor, double norm, Vector& q);

  Vector Aq_, A2q_, product_, sum_;
};

}  // namespace surefoot
