#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// What a search found.

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "surefoot/space.hpp"
#include "surefoot/stop.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// One run of a search with restarts.
struct RunSummary {
  std::int64_t popsize = 0;
  double sigma_factor = 1;  // multiplies the start's standard deviations
  std::int64_t nfev = 0;
  std::int64_t nit = 0;
  double fun = 0;  // best value of this run; NaN if none was finite
  StopReason stop = StopReason::none;
};

struct Result {
  Vector x;  // best point evaluated, under noise the measured one: with constraints the best feasible one or, if all
             // are infeasible, the one with the least violation. The start if no value was finite
  double fun = 0;  // its value; infinity if all values were infinite, NaN if all evaluations failed. Under noise the
                   // mean of fresh evaluations of x
  double fun_std = 0;                    // its standard error: 0 if no noise was noticed, NaN if x was not measured
  double noise = 0;                      // standard deviation of the noise of f; 0 if none was noticed
  double lowest_fun = 0;                 // the lowest single value; under noise, repeats give more
  Vector lowest_x = {};                  // its point
  std::vector<double> constraints = {};  // values of inequalities and equalities at x; empty without constraints
  std::vector<std::string> constraint_names = {};  // their names, by default g[0], ..., h[0], ...
  bool feasible = false;                           // f is finite at x and all constraints are met
  double violation = 0;                            // sum of the positive g and of |h| above the tolerance at x
  Vector multipliers = {};                         // one per constraint, from the run that found x; may be empty
  bool success = false;  // ftarget reached or, without ftarget, converged at x, which is feasible
  StopReason stop = StopReason::none;
  bool missed_best = false;  // the last run has converged elsewhere, at a clearly worse value
  std::string message;       // why it stopped, with the numbers
  std::int64_t nfev = 0;     // evaluations
  std::int64_t nfailed = 0;  // evaluations without a value
  std::int64_t ncev = 0;     // evaluations of the constraints; 0 without any
  std::int64_t nit = 0;      // generations
  Vector xfavorite;          // mean of the distribution of the run that found x: often better than x under noise
  Vector stds;               // standard deviation of each coordinate there; 0 where bounds fix it. Of a parameter on a
                             // log scale a factor; of a choice the probability of another value than the likeliest
  // The same two of the last run, which may have searched elsewhere; empty if that run found x.
  Vector last_run_mean = {};
  Vector last_run_stds = {};
  std::vector<RunSummary> runs;
  std::uint64_t seed = 0;
  Values values = {};  // x by name; empty without a space

  /// The last run's, whichever run found x.
  [[nodiscard]] const Vector& last_mean() const { return last_run_mean.size() > 0 ? last_run_mean : xfavorite; }
  [[nodiscard]] const Vector& last_stds() const { return last_run_stds.size() > 0 ? last_run_stds : stds; }
};

/// Prints the best value and point, why the search stopped and what it cost.
std::ostream& operator<<(std::ostream& out, const Result& result);

}  // namespace surefoot
