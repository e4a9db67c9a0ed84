#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Why a search, or one run of a search with restarts, ended.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace surefoot {

/// The numbers never change: scripts know them.
enum class StopReason {
  none = 0,              // still running
  ftarget = 1,           // f <= ftarget
  maxfevals = 2,         // budget of evaluations used
  maxiter = 3,           // budget of generations used
  vanished = 4,          // standard deviations too small to move the mean: converged as far as doubles can tell
  exploded = 5,          // standard deviations beyond 1e150
  lost_rank = 6,         // B is singular to working precision: some direction is no longer searched
  non_finite = 7,        // mean, sigma or B holds NaN or infinity
  timeout = 8,           // wall-clock time used
  tolx = 9,              // standard deviations below tolx times those of the start
  tolfun = 10,           // values of the population and of recent generations within tolfun
  tolfunhist = 11,       // best values of recent generations within tolfunhist
  tolupsigma = 12,       // the step size grew beyond tolupsigma times the start's
  tolconditioncov = 13,  // condition of the covariance above tolconditioncov
  tolflatfitness = 14,   // all values of a generation equal, several times in a row
  tolstagnation = 15,    // neither best nor median values improved for long
  noeffectaxis = 16,     // a tenth of a standard deviation along an axis does not move the mean
  noeffectcoord = 17,    // a fifth of a coordinate's standard deviation does not move the mean
  callback = 18,         // the callback returned true
  interrupted = 19,      // Options::interrupt returned true
  failing = 20,          // the objective kept failing
  infeasible = 21,       // all values of several generations were +infinity
  model = 22,            // the model promises no improvement that is worth an evaluation
  separable = 23,        // the minima along the coordinates were found, one by one
  settled = 24,          // integers and choices keep their values, and nothing better was found for long
  requested = 25,        // the program asked for it, with a sentence of its own: `stop_because`
  noise = 26,            // the minimum is known as well as the noise of the objective allows
};

/// What a callback returns. True stops the search, and so does a sentence that says why; false and an empty sentence do
/// not.
class StopRequest {
 public:
  StopRequest() = default;
  StopRequest(bool is_wanted) : is_wanted_(is_wanted) {}  // NOLINT(google-explicit-constructor)
  StopRequest(std::string sentence)                       // NOLINT(google-explicit-constructor)
      : is_wanted_(!sentence.empty()), sentence_(std::move(sentence)) {}
  StopRequest(const char* sentence) : StopRequest(std::string(sentence)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return is_wanted_; }
  [[nodiscard]] const std::string& sentence() const { return sentence_; }

 private:
  bool is_wanted_ = false;
  std::string sentence_;
};

/// The kind of a reason. It decides about success, the exit status and the advice.
enum class StopKind {
  running,     // the search still runs
  target,      // the target is reached
  converged,   // the wanted end without a target
  stalled,     // no progress, without convergence
  budget,      // more would be possible
  degenerate,  // the distribution cannot be sampled any more
  failing,     // the objective does not work
  asked,       // the caller asked for it
};

/// When a search that ended for this reason can be resumed.
enum class StopResume {
  never,      // its last run is over for good
  always,     // by the same command
  more,       // with a larger budget or another target
  tolerance,  // with other tolerances
  repaired,   // once the objective works again
};

/// One row of the table of stop reasons: all that is known about a reason apart from its test.
struct StopInfo {
  StopReason reason = StopReason::none;
  std::string_view name;
  StopKind kind = StopKind::running;
  StopResume resume = StopResume::never;
  std::string_view options;  // that decide about it, with blanks between them; may be empty
  std::string_view meaning;
  std::string_view advice = {};  // what to do if the search had no success; may be empty
};

/// In the order of their numbers.
const std::vector<StopInfo>& stop_table();

/// The row of a reason; that of `none` for an unknown number.
const StopInfo& stop_info(StopReason reason);

/// The enumerators' names.
std::string_view name(StopReason reason);
std::string_view name(StopKind kind);
/// In words: "with a larger budget", ...
std::string_view words(StopResume resume);

}  // namespace surefoot
