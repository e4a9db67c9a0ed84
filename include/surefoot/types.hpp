#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// The linear algebra vocabulary of the public API.

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace surefoot {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
/// Column-major, whatever EIGEN_DEFAULT_TO_ROW_MAJOR says in the including program.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;

static_assert(std::is_same_v<Index, std::ptrdiff_t>,
              "Surefoot is compiled with Eigen's own index: leave EIGEN_DEFAULT_DENSE_INDEX_TYPE undefined");

/// How Eigen allocates: as EIGEN_MALLOC_ALREADY_ALIGNED says.
struct EIGEN_MALLOC_ALREADY_ALIGNED_0;
struct EIGEN_MALLOC_ALREADY_ALIGNED_1;

#if EIGEN_MALLOC_ALREADY_ALIGNED || EIGEN_DEFAULT_ALIGN_BYTES == 0
using EigenAllocation = EIGEN_MALLOC_ALREADY_ALIGNED_1;
#else
using EigenAllocation = EIGEN_MALLOC_ALREADY_ALIGNED_0;
#endif

/// Code without its own alignment uses that of the C library.
// NOLINTNEXTLINE(bugprone-branch-clone): in Eigen's macro
inline constexpr int eigen_max_align_bytes = std::max(EIGEN_MAX_ALIGN_BYTES, 16);

/// Matrices pass between library and program, so both must align and free memory in the same way. Eigen's way depends
/// on compiler flags such as -mavx and -fsanitize=address. The library defines this function for its own way only, so a
/// mismatch is a link error instead of a crash.
template <int max_align_bytes, class Allocation>
void library_built_with_EIGEN_MAX_ALIGN_BYTES();

/// Makes the linker look for it.
[[gnu::used]] inline void (*const eigen_memory_check)() =
    &library_built_with_EIGEN_MAX_ALIGN_BYTES<eigen_max_align_bytes, EigenAllocation>;

}  // namespace surefoot
