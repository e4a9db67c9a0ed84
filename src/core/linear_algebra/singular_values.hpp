#pragma once

#include "surefoot/types.hpp"

namespace surefoot {

/// Singular values of a square matrix, descending; NaN if it is not finite. Those below 1e-8 times the largest are lost
/// in rounding.
Vector singular_values(const Matrix& A);

}  // namespace surefoot
