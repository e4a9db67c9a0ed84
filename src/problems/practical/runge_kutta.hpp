#pragma once

#include <array>
#include <cstddef>

namespace surefoot::practical {

template <std::size_t n>
using State = std::array<double, n>;

template <std::size_t n>
State<n> moved(const State<n>& y, double h, const State<n>& slope) {
  State<n> result = y;
  for (std::size_t i = 0; i < n; ++i) result[i] += h * slope[i];
  return result;
}

/// One step of the classical Runge-Kutta method of order four for y' = slope(y).
template <std::size_t n, class Slope>
State<n> runge_kutta_step(const State<n>& y, double h, const Slope& slope) {
  const State<n> a = slope(y);
  const State<n> b = slope(moved(y, h / 2, a));
  const State<n> c = slope(moved(y, h / 2, b));
  const State<n> d = slope(moved(y, h, c));
  State<n> result = y;
  for (std::size_t i = 0; i < n; ++i) result[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  return result;
}

}  // namespace surefoot::practical
