#pragma once

#include "surefoot/types.hpp"

namespace surefoot {

/// Kendall's rank correlation tau-b of two lists of numbers [Kendall1945]: 1 if they are ordered alike, -1 if they are
/// ordered inversely. Ties are left out of the count but not out of the scale. NaN if one list is constant.
double kendall_tau(const Eigen::Ref<const Vector>& a, const Eigen::Ref<const Vector>& b);

}  // namespace surefoot
