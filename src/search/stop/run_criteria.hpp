#pragma once

#include <cstdint>

#include "search/stop/run_deviations.hpp"
#include "search/stop/run_values.hpp"
#include "search/stop/stop.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot {

/// What ends one run: convergence, divergence, degeneracy. Each criterion is a small function that says why, and has
/// its row in `stop_table()`. The names are pycma's and so are the defaults, but for tolx, which is relative to the
/// start here: the method does not depend on the scale of x, so neither should its end.
class RunCriteria {
 public:
  /// `start` is the distribution that the run begins with. The domain says which coordinates are real. Options and
  /// domain must outlive the criteria.
  RunCriteria(const Options& options, const Distribution& start, Index popsize, const Domain& domain);

  /// After the update with these values. Cheap every generation; what costs O(d^2) or more only now and then.
  Stop test(const Strategy& strategy, const Vector& values, std::int64_t generation);

  /// Whether integers and choices leave their values no more often than they must, after this generation.
  void note_settled(bool is_settled) { is_settled_ = is_settled; }

  [[nodiscard]] double steps() const { return values_.steps(); }
  [[nodiscard]] double lowest() const { return values_.lowest(); }
  [[nodiscard]] double first_range() const { return values_.first_range(); }
  [[nodiscard]] double recent_range() const { return values_.recent_range(); }

  void visit(StateVisitor& visitor) { values_.visit(visitor); }

 private:
  [[nodiscard]] Stop settled(const Distribution& distribution);

  const Options& options_;
  const Domain& domain_;
  std::int64_t rare_interval_;        // of the test that inverts the shape
  std::int64_t deviations_interval_;  // of the tests that pass over it
  bool is_settled_ = false;
  RunValues values_;
  RunDeviations deviations_;
};

}  // namespace surefoot
