#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "search/reached.hpp"
#include "search/run.hpp"
#include "search/run_sequence.hpp"
#include "search/tally.hpp"

namespace surefoot {

/// The runs of a search, one after the other: those that have ended, the present one, and what follows it.
class Runs {
 public:
  /// The setup must outlive it.
  explicit Runs(const Setup& setup) : setup_(setup), sequence_(setup.options) {}

  void begin(Tally& tally) { begin(tally, 0, sequence_.first(), setup_.domain->start().mean); }
  /// The present run begins anew at the best point, search coordinates.
  void begin_again(Tally& tally, const Vector& best);

  [[nodiscard]] Run& present() { return *run_; }
  [[nodiscard]] const Run& present() const { return *run_; }
  [[nodiscard]] const std::vector<RunSummary>& finished() const { return sequence_.finished(); }
  [[nodiscard]] bool is_best_converged(const Tally& tally) const { return sequence_.is_best_converged(tally); }
  /// Of the run that found the best point.
  [[nodiscard]] Vector multipliers(const Tally& tally) const;
  /// What the run has reached that found the best point, unless that is what the present run is at.
  [[nodiscard]] std::optional<Reached> reached(const Tally& tally) const;

  /// Puts the present run to those that have ended.
  void close(const Tally& tally, StopReason reason) { sequence_.close(*run_, tally, reason); }
  [[nodiscard]] bool is_closed() const;
  /// A larger budget continues the run that was closed.
  void reopen() { sequence_.reopen(); }
  void reopen_converged() { sequence_.reopen_converged(); }

  /// Begins the run that follows the present one, which has ended. If there is none, returns the end of the search.
  [[nodiscard]] Stop follow(const Stop& end, Tally& tally);

  /// Saves the runs and the tally as they are after the present run has met `end`, if it has. Returns the end of the
  /// search if that is one.
  [[nodiscard]] Stop save(StateVisitor& writer, const Stop& end, bool reopens, Tally tally) const;
  void restore(StateVisitor& reader, Tally& tally);

 private:
  /// What follows a run that has met its end.
  struct Succession {
    RunSequence sequence;
    Tally tally;
    std::unique_ptr<Run> run;  // null: none
    std::optional<Reached> reached;
    Stop end;  // of the search, if there is none
  };

  [[nodiscard]] Reached reached_at_end(const Tally& tally, StopReason reason) const;
  [[nodiscard]] Succession succession(RunSequence sequence, const Stop& end, const Tally& tally) const;
  void begin(Tally& tally, std::int64_t number, const RunPlan& plan, const Vector& mean);
  [[nodiscard]] std::unique_ptr<Run> new_run(Tally& tally, std::int64_t number, const RunPlan& plan,
                                             const Vector& mean) const;
  [[nodiscard]] std::optional<std::int64_t> run_budget(const RunPlan& plan, const Tally& tally) const;
  [[nodiscard]] ModelBudget run_model_budget(const Tally& tally) const;
  [[nodiscard]] Stop end_without_restarts(const RunSequence& sequence, const Stop& end) const;
  [[nodiscard]] Vector restart_mean() const;

  const Setup& setup_;
  RunSequence sequence_;
  std::unique_ptr<Run> run_;
  std::optional<Reached> reached_;  // of an earlier run, which found the best point
};

}  // namespace surefoot
