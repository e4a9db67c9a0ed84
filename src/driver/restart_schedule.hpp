#pragma once

#include <cstdint>
#include <optional>

#include "surefoot/restart.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// One run of a search with restarts.
struct RunPlan {
  std::int64_t popsize = 0;
  double sigma_factor = 1;                     // multiplies the start's standard deviations
  std::optional<std::int64_t> maxfevals = {};  // of this run alone
};

/// Decides which run comes next. All its state is here, so that a checkpoint can hold it.
class RestartSchedule {
 public:
  RestartSchedule(const Restarts& restarts, std::int64_t popsize);

  [[nodiscard]] RunPlan first() const { return {popsize_, 1, {}}; }

  /// The run that follows one with `nfev` evaluations; nothing if no restart is left. u1 and u2 are uniform in [0, 1).
  std::optional<RunPlan> next(std::int64_t nfev, double u1, double u2);

  void visit(StateVisitor& visitor);

 private:
  RunPlan next_bipop(double u1, double u2);

  Restarts restarts_;
  std::int64_t popsize_;            // of the first run
  std::int64_t restarts_done_ = 0;  // without bipop's small runs
  std::int64_t large_runs_ = 0;
  std::int64_t large_nfev_ = 0;
  std::int64_t small_nfev_ = 0;
  std::int64_t last_large_nfev_ = 0;
  std::int64_t last_was_large_ = 0;
};

}  // namespace surefoot
