#pragma once

#include "surefoot/types.hpp"

namespace surefoot {

/// What weighted ranks tell about a coordinate that is ordered by value, as on a linear function. z_(i) are normal
/// order statistics.
struct RankInformation {
  double c_w;  // -E sum_i w_i z_(i): progress along the gradient, in standard deviations
  double A;    // mu_w E sum_{i != j} w_i w_j z_(i) z_(j): a U-statistic that is 0 under a random ranking
};

/// By Blom's expectations and the covariances of David and Johnson, whose error is below 1 % from popsize 6 on.
RankInformation rank_information(const Vector& w);

}  // namespace surefoot
