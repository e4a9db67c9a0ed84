#pragma once

#include <cstdint>
#include <string>

#include "driver/domain/domain.hpp"
#include "surefoot/options.hpp"
#include "surefoot/stop.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot {

/// A reason, and a sentence with the numbers that decided it.
struct Stop {
  StopReason reason = StopReason::none;
  std::string sentence = {};

  explicit operator bool() const { return reason != StopReason::none; }
};

/// The last n numbers, without allocation.
class History {
 public:
  explicit History(std::int64_t length) : numbers_(Vector::Zero(static_cast<Index>(length))) {}

  void push(double number) { numbers_[static_cast<Index>(count_++ % numbers_.size())] = number; }
  [[nodiscard]] bool full() const { return count_ >= numbers_.size(); }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const Vector& numbers() const { return numbers_; }
  /// The i-th of the last ones, 0 the newest.
  [[nodiscard]] double newest(std::int64_t i) const {
    return numbers_[static_cast<Index>((count_ - 1 - i) % numbers_.size())];
  }
  void visit(StateVisitor& visitor, const char* name);

 private:
  Vector numbers_;
  std::int64_t count_ = 0;
};

/// What ends one run: convergence, divergence, degeneracy. Each criterion is a small function that says why.
/// The names are pycma's and so are the defaults, but for tolx, which is relative to the start here: the method does
/// not depend on the scale of x, so neither should its end.
///
/// Discrete parameters never converge in the sense of these criteria: the margin keeps their standard deviations up.
/// What is said about coordinates is said about the real ones then, and `settled` watches the others.
class RunCriteria {
 public:
  /// `start` is the distribution that the run begins with. The domain says which coordinates are real, and must outlive
  /// the criteria.
  RunCriteria(const Options& options, const Distribution& start, Index popsize, const Domain& domain);

  /// After the update with these values. Cheap every generation; what costs O(d^2) or more only now and then.
  Stop test(const Strategy& strategy, const Vector& values, std::int64_t generation);

  /// Whether integers and choices leave their values no more often than they must, after this generation.
  void note_settled(bool is_settled) { is_settled_ = is_settled; }

  /// Generations of this run, each counted as the square root of the strategy's pace. Patience is no
  /// stagnation: plain generations would end a search on Rastrigin in which the ranking tells little. The rate itself
  /// would let pure noise be searched ten times as long.
  [[nodiscard]] double steps() const { return steps_; }

  /// The lowest value of the last generation that had one.
  [[nodiscard]] double lowest() const { return lowest_; }
  /// The range of the values of the first generation in which they differed; 0 before.
  [[nodiscard]] double first_range() const { return first_range_; }

  /// By how much the best values of recent generations differ.
  [[nodiscard]] double recent_range() const;

  void visit(StateVisitor& visitor);

 private:
  /// `is_recent`: for the tests of recent values, `is_long_term`: for the test of stagnation too.
  void remember(const Vector& values, bool is_recent, bool is_long_term);
  /// Generations that the recent values are of.
  [[nodiscard]] std::int64_t recent_generations() const { return recent_best_.numbers().size() * recent_stride_; }

  [[nodiscard]] double scaled(double tolerance) const;
  [[nodiscard]] bool is_on_plateau(double tolerance) const;

  // Every generation.
  [[nodiscard]] static Stop non_finite(const Distribution& distribution);
  [[nodiscard]] Stop tolupsigma(double sigma) const;
  [[nodiscard]] Stop tolfun() const;
  [[nodiscard]] Stop unresolved();
  [[nodiscard]] Stop plateau() const;
  [[nodiscard]] Stop tolfunhist() const;
  [[nodiscard]] Stop tolflatfitness() const;
  [[nodiscard]] Stop noeffectaxis(const Distribution& distribution, std::int64_t generation);
  [[nodiscard]] Stop settled(const Distribution& distribution);

  // Now and then: passes over the shape, its inverse or a long history.
  [[nodiscard]] Stop test_deviations(const Distribution& distribution);
  [[nodiscard]] Stop vanished(const Vector& mean) const;
  [[nodiscard]] Stop exploded() const;
  [[nodiscard]] Stop tolx() const;
  [[nodiscard]] Stop noeffectcoord(const Vector& mean) const;
  [[nodiscard]] Stop condition(const Distribution& distribution) const;
  [[nodiscard]] Stop tolstagnation();

  /// Counts generations since the best value of the run.
  void count_unimproved();
  [[nodiscard]] bool has_real_axis(const Distribution& distribution, const Vector& axis);
  /// Of the real coordinates, as a share of the start's.
  [[nodiscard]] double largest_ratio() const;
  [[nodiscard]] double largest_real_deviation() const;
  [[nodiscard]] double condition_of(const Distribution& distribution) const;

  const Options& options_;
  const Domain& domain_;
  bool is_discrete_;         // some parameters are integers, values of a grid or choices
  bool has_real_;            // some are real
  Vector start_deviations_;  // one number if they are all equal
  double start_sigma_;
  std::int64_t rare_interval_;        // of the test that inverts the shape
  std::int64_t deviations_interval_;  // of the tests that pass over it
  std::int64_t recent_stride_;        // every so many generations are remembered
  std::int64_t stagnation_length_;    // in steps
  std::int64_t stagnation_stride_;    // every so many steps are remembered

  double lowest_ = 0;  // values of the last generation, finite ones
  double highest_ = 0;
  double first_range_ = 0;
  std::int64_t flat_ = 0;  // generations of equal values in a row
  double steps_ = 0;
  bool is_settled_ = false;
  double run_best_;              // of a run with discrete parameters
  std::int64_t unimproved_ = 0;  // generations since it was found
  History recent_best_;          // one entry a stride of generations
  History recent_worst_;
  History long_best_;  // one entry a stride
  History long_median_;

  // Workspace.
  Vector deviations_;  // and before they are measured, an axis
  Vector sorted_;
  Vector window_;
  Vector half_;  // of the recent generations
};

}  // namespace surefoot
