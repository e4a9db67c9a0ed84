#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// One population with its outcomes.

#include <chrono>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "surefoot/evaluation.hpp"
#include "surefoot/failure.hpp"
#include "surefoot/outcome.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// How long an evaluation took, and which worker did it.
struct Timing {
  double seconds = std::numeric_limits<double>::quiet_NaN();  // NaN: not known
  int worker = -1;                                            // 0, 1, ...; -1: not known
};

/// Points with their outcomes. Evaluators may be called more than once per generation: they compute the open
/// candidates.
class Generation {
 public:
  /// Owns the points.
  void start(Matrix points);
  /// Takes the points that `write(room)` returns: `room` itself, which the generation owns and uses again, or points
  /// that are kept elsewhere until the next start. So a strategy's population need not be copied.
  template <class Write>
  void start_with(const Write& write) {
    points_ = &write(own_points_);
    if (points_ != &own_points_) own_points_.resize(0, 0);
    open_all();
  }

  [[nodiscard]] const Matrix& population() const { return *points_; }
  [[nodiscard]] Index size() const { return static_cast<Index>(outcomes_.size()); }

  /// Whether candidate i still needs a value.
  [[nodiscard]] bool is_open(Index i) const { return outcome(i).state == Outcome::State::open; }
  [[nodiscard]] bool is_complete() const { return count(Outcome::State::open) == 0; }
  /// The candidates that still need a value.
  [[nodiscard]] std::vector<Index> open_candidates() const;

  /// The value of candidate i, from any thread.
  void set(Index i, double f) { set(i, std::span<const double>(&f, 1)); }
  /// The same with the values of constraints behind f.
  void set(Index i, std::span<const double> values);
  /// The same as an objective with constraints returns them.
  void set(Index i, const Evaluation& evaluation) { set(i, values_of(evaluation)); }
  /// The value of candidate i by a model of the objective.
  void predict(Index i, double f);

  /// Marks candidate i as failed, from any thread. `exception` is what the objective threw, if anything.
  void fail(Index i, FailureKind kind, std::string reason, std::exception_ptr exception = nullptr);

  /// Reports that a worker begins to evaluate candidate i; from any thread. Without these calls the log has no times.
  void begin(Index i, int worker);
  /// For evaluators that measure the time themselves. Call it before the outcome.
  void took(Index i, double seconds, int worker) {
    if (done_) clocks_[static_cast<std::size_t>(i)] = {{seconds, worker}, {}};
  }

  /// The same for one call that evaluates all open candidates: each gets an equal share.
  void took_together(double seconds);

  /// True once nobody waits for the rest. Evaluators test it often and then return early.
  [[nodiscard]] bool cancelled() const { return cancelled_ && cancelled_(); }

  // For the driver.
  void on_cancel(std::function<bool()> cancelled) { cancelled_ = std::move(cancelled); }
  /// Called for each outcome, one at a time, from the thread that delivers it.
  void on_done(std::function<void(Index)> done) { done_ = std::move(done); }
  /// Reopens failed candidates with attempts left. Returns whether there are any.
  bool reopen_failures(int retry);
  /// Reopens all failed candidates, as if they had not been evaluated.
  void forget_failures();
  [[nodiscard]] Index count(Outcome::State state) const;
  [[nodiscard]] Index count_set() const { return size() - count(Outcome::State::open); }
  [[nodiscard]] const Outcome& outcome(Index i) const { return outcomes_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] double value(Index i) const { return outcome(i).f; }
  [[nodiscard]] const std::vector<Failure>& failures() const { return failures_; }
  [[nodiscard]] const std::exception_ptr& exception() const { return exception_; }
  /// Of the last evaluation of candidate i, if `on_done` has a listener.
  [[nodiscard]] const Timing& timing(Index i) const { return clocks_[static_cast<std::size_t>(i)].timing; }
  /// In the order of the candidates, not of arrival.
  void write_values(Vector& values) const;
  /// The values of all candidates, evaluated once elsewhere, without constraints.
  void put_values(const Vector& values);
  void restore(Index i, Outcome outcome) { outcomes_[static_cast<std::size_t>(i)] = std::move(outcome); }
  void restore_failure(const Failure& failure) { failures_.push_back(failure); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Stopped {
    Timing timing = {};
    Clock::time_point begin = {};  // the epoch: it has not begun
  };

  void open_all();
  void report(Index i);

  Matrix own_points_;
  const Matrix* points_ = &own_points_;
  std::vector<Outcome> outcomes_;
  std::vector<Stopped> clocks_;
  std::vector<Failure> failures_;
  std::exception_ptr exception_;
  std::function<bool()> cancelled_;
  std::function<void(Index)> done_;
  std::mutex mutex_;
};

}  // namespace surefoot
