#pragma once

/// \file
/// Included before everything else on 64-bit ARM (cmake/compile_options.cmake), so that Eigen computes the same bits
/// there as on x86-64. Both have packets of two doubles. But for ARM Eigen asks for fused multiply-add by name, which
/// no compiler option forbids, and makes the tiles of its matrix product of six rows instead of four, which changes the
/// order of sums in the last rows.

#include <arm_neon.h>

// NOLINTBEGIN(cppcoreguidelines-macro-usage): these names belong to the compiler's header
#define vfmaq_f64(c, a, b) vaddq_f64(c, vmulq_f64(a, b))
#define vfmaq_n_f64(c, a, b) vaddq_f64(c, vmulq_n_f64(a, b))
#define vfmaq_laneq_f64(c, a, b, lane) vaddq_f64(c, vmulq_laneq_f64(a, b, lane))
// NOLINTEND(cppcoreguidelines-macro-usage)

// Eigen reads this file between its packets, which set the macro for the tiles, and its products, which look at it.
#define EIGEN_DENSEBASE_PLUGIN "core/linear_algebra/eigen_tiles.inc"
