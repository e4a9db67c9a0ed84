#pragma once

/// \file
/// Sums of many numbers on wide packs, in the order in which Eigen adds them on narrow ones: four sums of every fourth
/// number, then two, then one. Bits do not depend on the processor.

#include <array>

#include "core/linear_algebra/pack.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// The sum of term(real, i) for i = 0 to count - 1, each of which is called once: with packs of numbers i, i + 1, ...
/// while they last, then with single ones.
template <class Term>
double sum_of_terms(Index count, const Term& term) {
  double result = 0;
  with_widest_packs([&](auto packs) SUREFOOT_KERNEL {
    using Real = typename decltype(packs)::Real;
    using Single = std::type_identity<double>;
    constexpr Index four = 4;
    const Term local = term;
    const Index end = count;
    Index i = 0;
    double first = 0;
    double second = 0;
    if (end >= four) {
      // NOLINTNEXTLINE(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays): std::array forgets packs
      Real sums[four / lanes<Real>];
      for (Index p = 0; p < four; p += lanes<Real>) sums[p / lanes<Real>] = local(std::type_identity<Real>{}, p);
      for (i = four; i + four <= end; i += four) {
        for (Index p = 0; p < four; p += lanes<Real>) sums[p / lanes<Real>] += local(std::type_identity<Real>{}, i + p);
      }
      const auto lane = load<std::array<double, four>>(&sums);
      first = lane[0] + lane[2];
      second = lane[1] + lane[3];
    } else if (end >= 2) {
      first = local(Single{}, 0);
      second = local(Single{}, 1);
      i = 2;
    }
    if (end >= four && i + 2 <= end) {
      first += local(Single{}, i);
      second += local(Single{}, i + 1);
      i += 2;
    }
    double sum = i > 0 ? first + second : local(Single{}, i++);
    for (; i < end; ++i) sum += local(Single{}, i);
    result = sum;
  });
  return result;
}

/// <A, B> of matrices or vectors that are not empty.
template <class Numbers>
double dot_product(const Numbers& A, const Numbers& B) {
  return sum_of_terms(A.size(), [a = A.data(), b = B.data()](auto real, Index i) SUREFOOT_KERNEL {
    using Real = typename decltype(real)::type;
    return load<Real>(a + i) * load<Real>(b + i);
  });
}

}  // namespace surefoot
