#pragma once

/// \file
/// Sine and cosine in packs, without libm: the same bits on every machine.

#include <numbers>

#include "core/linear_algebra/pack.hpp"

namespace surefoot {

/// sin(a) for |a| <= pi/4 by its series; a^19/19! is below rounding.
template <class Real>
SUREFOOT_INLINE Real sin_octant(const Real& a) {
  const Real a2 = a * a;
  Real tail = 1.0 / 355687428096000 * a2 - 1.0 / 1307674368000;  // 1/17!, 1/15!
  tail = tail * a2 + 1.0 / 6227020800;
  tail = tail * a2 - 1.0 / 39916800;
  tail = tail * a2 + 1.0 / 362880;
  tail = tail * a2 - 1.0 / 5040;
  tail = tail * a2 + 1.0 / 120;
  tail = tail * a2 - 1.0 / 6;
  return a + a * a2 * tail;
}

/// cos(a) for |a| <= pi/4 by its series; a^18/18! is below rounding.
template <class Real>
SUREFOOT_INLINE Real cos_octant(const Real& a) {
  const Real a2 = a * a;
  Real tail = 1.0 / 20922789888000 * a2 - 1.0 / 87178291200;  // 1/16!, 1/14!
  tail = tail * a2 + 1.0 / 479001600;
  tail = tail * a2 - 1.0 / 3628800;
  tail = tail * a2 + 1.0 / 40320;
  tail = tail * a2 - 1.0 / 720;
  tail = tail * a2 + 1.0 / 24;
  tail = tail * a2 - 1.0 / 2;
  return 1 + a2 * tail;
}

/// 1 - cos(2 pi u), to full relative accuracy also where it is small. For |u| >= 2^51, where doubles are integers or
/// halves, some number in [0, 2]; NaN for what is not finite.
template <class Real>
SUREFOOT_INLINE Real versine_of_turns(const Real& u) {
  constexpr double magic = 6755399441055744;  // 1.5 * 2^52: adding it rounds to an integer
  const Real rest = u - ((u + magic) - magic);
  const Real half = 0.5 + 0 * u;
  const Real turn = rest > half ? half : (rest < -half ? -half : rest);
  // 1 - cos(2 b) = 2 sin^2 b and sin b = 2 sin(b/2) cos(b/2), with |b/2| <= pi/4.
  const Real a = std::numbers::pi / 2 * turn;
  const Real product = sin_octant<Real>(a) * cos_octant<Real>(a);
  return 8 * (product * product);
}

}  // namespace surefoot
