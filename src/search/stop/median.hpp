#pragma once

#include <algorithm>

#include "surefoot/types.hpp"

namespace surefoot {

/// Swaps the numbers for which `goes` holds to the front and returns their end. Nothing branches on a comparison, which
/// no processor can guess.
template <class Goes>
double* move_to_front(double* begin, const double* end, const Goes& goes) {
  double* to = begin;
  for (; begin != end; ++begin) {
    const double number = *begin;
    *begin = *to;
    *to = number;
    to += goes(number) ? 1 : 0;
  }
  return to;
}

/// The middle one of the first `count` numbers, the upper one of two, in a quarter of std::nth_element's time at 300
/// numbers. All must be finite; they change places. Numbers that mislead every choice of a pivot are left to
/// std::nth_element, which takes a time in proportion to their count whatever they are.
inline double median(Vector& numbers, Index count, int most_rounds = 64) {
  double* begin = numbers.data();
  double* end = begin + count;
  double* const middle = begin + count / 2;
  for (int rounds = 0; rounds < most_rounds; ++rounds) {
    const double a = *begin;
    const double b = begin[(end - begin) / 2];
    const double pivot = std::max(std::min(a, b), std::min(std::max(a, b), end[-1]));
    double* const less_end = move_to_front(begin, end, [pivot](double x) { return x < pivot; });
    if (middle < less_end) {
      end = less_end;
      continue;
    }
    double* const equal_end = move_to_front(less_end, end, [pivot](double x) { return x == pivot; });
    if (middle < equal_end) return pivot;
    begin = equal_end;
  }
  std::nth_element(begin, middle, end);
  return *middle;
}

}  // namespace surefoot
