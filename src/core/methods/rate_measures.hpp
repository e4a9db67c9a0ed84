#pragma once

#include "surefoot/learning_rate.hpp"
#include "surefoot/measures.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// The rates of mean, step size and shape, as observers have columns for them.
inline void add_rates(const LearningRates& rates, Measures& measures) {
  measures.add("eta_m", rates.mean);
  measures.add("eta_sigma", rates.sigma);
  measures.add("eta_B", rates.B);
}

/// What a checkpoint keeps of them: a resumed search may report before it learns.
inline void visit_rates(StateVisitor& visitor, LearningRates& rates) {
  visitor.scalar("eta_m", rates.mean);
  visitor.scalar("eta_sigma", rates.sigma);
  visitor.scalar("eta_B", rates.B);
}

}  // namespace surefoot
