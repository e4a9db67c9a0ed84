#pragma once

#include <cstdint>

#include "experiments/contender.hpp"
#include "surefoot/practical.hpp"

namespace surefoot {

/// How one search on one problem went.
struct PracticalOutcome {
  std::int64_t evaluations = 0;
  double best = 0;  // lowest f
  int runs = 1;     // one and the restarts
};

/// A uniform point of the box: a pure function of problem and seed, which peers compute too
/// (benchmarks/practical_peers.py).
Vector practical_start(const PracticalProblem& problem, std::uint64_t seed);

/// Searches for this many evaluations as a user would who only knows the box: without sigma0 and target. The method
/// knows its budget.
PracticalOutcome run_practical(const Contender& contender, const PracticalProblem& problem, std::int64_t budget,
                               std::uint64_t seed);

}  // namespace surefoot
