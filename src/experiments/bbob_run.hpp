#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "experiments/coco_log.hpp"
#include "experiments/contender.hpp"
#include "surefoot/bbob.hpp"

namespace surefoot {

/// 10^2, 10^1.8, ..., 10^-8 above the optimal value.
inline constexpr std::size_t bbob_targets = 51;
double bbob_target(std::size_t k);

/// How one search on one problem went.
struct BbobOutcome {
  std::int64_t evaluations = 0;
  double precision = 0;                           // lowest f minus the optimal value
  std::int64_t runs = 0;                          // one and the restarts
  std::array<std::int64_t, bbob_targets> hits{};  // evaluations to each target; 0: not reached
};

/// Searches for this many evaluations or until the last target is hit. The start and those of restarts are uniform in
/// [-4, 4]^d, and sigma0 is 2; random search is uniform in [-5, 5]^d. `log`, if there is one, gets every evaluation.
BbobOutcome run_bbob(const Contender& contender, const BbobProblem& problem, std::int64_t budget, std::uint64_t seed,
                     CocoLog* log = nullptr);

/// A search and its trace, as `surefoot minimize --trace` writes it.
struct TracedBbobOutcome {
  BbobOutcome outcome;
  std::string trace;
};

/// The same search with its trace, which is empty for random search. `command` repeats it.
TracedBbobOutcome trace_bbob(const Contender& contender, const BbobProblem& problem, std::int64_t budget,
                             std::uint64_t seed, const std::string& command, CocoLog* log = nullptr);

}  // namespace surefoot
