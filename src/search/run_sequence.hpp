#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driver/restart_schedule.hpp"
#include "search/run.hpp"
#include "search/tally.hpp"
#include "surefoot/result.hpp"

namespace surefoot {

/// No search has more: what a checkpoint says beyond is forged.
inline constexpr std::int64_t most_runs = 1000000;

/// The runs of a search: those that have ended, where they converged, and which one comes next.
class RunSequence {
 public:
  explicit RunSequence(const Options& options);

  [[nodiscard]] RunPlan first() const { return schedule_.first(); }
  [[nodiscard]] const std::vector<RunSummary>& finished() const { return finished_; }

  /// Puts the present run to those that have ended.
  void close(const Run& run, const Tally& tally, StopReason reason);
  /// Takes that back: an end by a budget is none for a search that goes on with a larger one.
  void reopen() { finished_.pop_back(); }
  /// The same after an end by a criterion that is another one now: that it has converged is not true any more.
  void reopen_converged();

  struct Next {
    RunPlan plan;
    bool is_around_best = false;  // it begins at the best point instead of somewhere new
  };
  /// The run after one that was closed for this reason; nothing if no restart is left.
  std::optional<Next> next(const Run& run, const Tally& tally, StopReason reason, const Options& options);

  /// Whether a run has converged at the best point.
  [[nodiscard]] bool is_best_converged(const Tally& tally) const {
    return tally.best_violation == 0 && converged_f_ <= tally.best_f + converged_to_within_;
  }

  void visit(StateVisitor& visitor);

 private:
  void note_convergence(const Run& run, const Tally& tally, StopReason reason);

  RestartSchedule schedule_;
  std::vector<RunSummary> finished_;
  double visited_ = Tally::nan;      // the best value around which a run was begun
  double converged_f_ = Tally::nan;  // the best value at which a run has converged
  double converged_to_within_ = 0;   // a clear difference of values there
  std::int64_t visit_nfev_ = 0;      // evaluations that the schedule has not heard of
};

}  // namespace surefoot
