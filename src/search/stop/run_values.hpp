#pragma once

#include <cstdint>

#include "driver/domain/domain.hpp"
#include "search/stop/history.hpp"
#include "search/stop/stop.hpp"
#include "surefoot/options.hpp"

namespace surefoot {

/// The values of a run, as far as they say whether it is over, and the criteria that look at values alone.
class RunValues {
 public:
  /// Options and domain must outlive it.
  RunValues(const Options& options, const Domain& domain, Index popsize);

  /// The values of a generation, after which the strategy's pace is this one.
  void remember(const Vector& values, std::int64_t generation, double pace);

  /// Generations of this run, each counted as the square root of the strategy's pace. Slow learning must not count as
  /// stagnation: counting plain generations ended successful searches on Rastrigin. The rate itself would let pure
  /// noise be searched ten times as long.
  [[nodiscard]] double steps() const { return steps_; }
  /// The lowest value of the last generation that had one.
  [[nodiscard]] double lowest() const { return lowest_; }
  /// The range of the values of the first generation in which they differed; 0 before.
  [[nodiscard]] double first_range() const { return first_range_; }
  /// By how much the best values of recent generations differ.
  [[nodiscard]] double recent_range() const { return recent_best_.full() ? recent_best_.range() : first_range_; }
  /// Whether they differ by no more than tolfunhist.
  [[nodiscard]] bool is_level() const;
  /// Of a run with discrete parameters: generations since its best value.
  [[nodiscard]] std::int64_t unimproved() const { return unimproved_; }

  // Criteria.
  [[nodiscard]] Stop tolflatfitness() const;
  [[nodiscard]] Stop tolfunhist() const;
  [[nodiscard]] Stop tolfun() const;
  [[nodiscard]] Stop unresolved();
  /// Looks at a long history, so it is tested now and then.
  [[nodiscard]] Stop tolstagnation(std::int64_t generation);

  void visit(StateVisitor& visitor);

 private:
  void push(Index finite, bool is_recent, bool is_long_term);
  void count_unimproved();
  /// Generations that the recent values are of.
  [[nodiscard]] std::int64_t recent_generations() const { return recent_best_.numbers().size() * recent_stride_; }
  [[nodiscard]] double scaled(double tolerance) const;
  [[nodiscard]] bool is_on_plateau(double tolerance) const;
  [[nodiscard]] Stop plateau() const;

  const Options& options_;
  const Domain& domain_;
  bool is_discrete_;                // some parameters are integers, values of a grid or choices
  bool has_real_;                   // some are real
  std::int64_t recent_stride_;      // every so many generations are remembered
  std::int64_t stagnation_length_;  // in steps
  std::int64_t stagnation_stride_;  // every so many steps are remembered

  double lowest_ = 0;  // values of the last generation, finite ones
  double highest_ = 0;
  double first_range_ = 0;
  std::int64_t flat_ = 0;  // generations of equal values in a row
  double steps_ = 0;
  double run_best_;              // of a run with discrete parameters
  std::int64_t unimproved_ = 0;  // generations since it was found
  History recent_best_;          // one entry a stride of generations
  History recent_worst_;
  History long_best_;  // one entry a stride
  History long_median_;

  // Workspace.
  Vector sorted_;
  Vector window_;
  Vector half_;  // of the recent generations
};

/// Whether some coordinates of a domain are real parameters.
bool has_real_coordinate(const Domain& domain);

}  // namespace surefoot
