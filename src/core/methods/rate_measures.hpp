#pragma once

#include "surefoot/learning_rate.hpp"
#include "surefoot/measures.hpp"

namespace surefoot {

/// The rates of mean, step size and shape, as observers have columns for them.
inline void add_rates(const LearningRates& rates, Measures& measures) {
  measures.add("eta_m", rates.mean);
  measures.add("eta_sigma", rates.sigma);
  measures.add("eta_B", rates.B);
}

}  // namespace surefoot
