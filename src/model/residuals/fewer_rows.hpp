#pragma once

#include "surefoot/types.hpp"

namespace surefoot {

/// Replaces the columns of Y and r by others with the same inner products, in as many rows as there are columns, if
/// there are far more rows: nothing that a fit computes from inner products then depends on the number of residuals.
void rotate_into_fewer_rows(Matrix& Y, Vector& r);

}  // namespace surefoot
