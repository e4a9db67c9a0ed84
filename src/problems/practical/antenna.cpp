#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/elementary/elementary.hpp"
#include "problems/practical/families.hpp"

namespace surefoot::practical {
namespace {

/// The highest sidelobe in dB below the main beam, of 20 equal elements on a line, symmetric about its middle
/// [Andreasen1962]. x: half the gap in the middle and the next nine gaps, in wavelengths. The main beam is |sine of the
/// angle| < 0.1.
double antenna(const double* x, Index d) {
  constexpr int angles = 180;
  constexpr double beam = 0.1;
  constexpr double step = (1 - beam) / angles;
  std::array<double, angles + 1> field{};  // at equidistant sines
  double position = 0;
  for (Index k = 0; k < d; ++k) {
    position += x[k];
    const double wave = 2 * std::numbers::pi * position;
    // cos(a + b) = 2 cos(b) cos(a) - cos(a - b) makes three cosines do the work of 181.
    const double factor = 2 * elementary::cos(wave * step);
    double before = elementary::cos(wave * (beam - step));
    double now = elementary::cos(wave * beam);
    for (double& sum : field) {
      sum += now;
      const double next = factor * now - before;
      before = now;
      now = next;
    }
  }
  double highest = 0;
  for (const double sum : field) highest = std::max(highest, std::abs(sum));
  return 20 * elementary::log10(highest / static_cast<double>(d));
}

Bounds gaps() {
  Bounds box{Vector::Constant(10, 0.4), Vector::Constant(10, 1)};
  box.lower[0] = 0.2;
  box.upper[0] = 0.5;
  return box;
}

}  // namespace

Rows antennas() {
  return {
      {"antenna", "Sidelobes of an antenna",
       "Gaps between 20 elements on a line, for the lowest of the highest sidelobes. The maximum over all angles "
       "has edges everywhere, and there are many local optima.",
       "Andreasen1962", gaps(), antenna, -11.823867722622875, -22.76443272271683,
       Vector{{0.2000000000006743, 0.4409641954049459, 0.4000000000000052, 0.4664496432876746, 0.47032760557814524,
               0.492907820722254, 0.5148145541297449, 0.7018131603962917, 0.7472668712319155, 0.8272857490136293}}}};
}

}  // namespace surefoot::practical
