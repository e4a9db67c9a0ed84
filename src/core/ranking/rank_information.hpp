#pragma once

#include "surefoot/types.hpp"

namespace surefoot {

/// What weighted ranks tell about a coordinate that is ordered by value, as on a linear function. With e_i the expected
/// normal order statistics [Blom1958]:
struct RankInformation {
  double c_w;  // -sum_i w_i e_i: progress along the gradient, in standard deviations
  double A;    // sum_{i != j} w_i w_j e_i e_j/sum_i w_i^2: a sum that is 0 in expectation under a random ranking
};

RankInformation rank_information(const Vector& w);

/// The number below which a standard normal lies with probability p.
double normal_quantile(double p);

}  // namespace surefoot
