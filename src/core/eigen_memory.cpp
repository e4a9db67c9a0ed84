#include "surefoot/types.hpp"

namespace surefoot {

template <int max_align_bytes, class Allocation>
void library_built_with_EIGEN_MAX_ALIGN_BYTES() {}

template void library_built_with_EIGEN_MAX_ALIGN_BYTES<eigen_max_align_bytes, EigenAllocation>();

}  // namespace surefoot
