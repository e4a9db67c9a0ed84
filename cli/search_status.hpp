#pragma once

#include <string>
#include <vector>

#include "cli/minimize_request.hpp"
#include "cli/progress_table.hpp"
#include "driver/merit/constraint_rules.hpp"
#include "surefoot/failure.hpp"
#include "surefoot/limit.hpp"
#include "surefoot/optimizer.hpp"
#include "surefoot/space.hpp"

namespace surefoot::cli {

/// All that SIGUSR1 and `surefoot status` tell about a search.
struct SearchStatus {
  std::string about;  // the line that a search begins with
  std::string state;  // whether it runs
  Progress progress;
  Vector x = {};                         // the best point
  ConstraintRules rules = {};            // of the constraints, by name
  std::vector<double> constraints = {};  // their values at it
  std::vector<Limit> limits = {};        // that they stand for
  Vector multipliers = {};
  FailureCounts failures = {};
  int workers = 1;
  std::string bounds = {};   // the parameters of the best point that are at one
  std::string program = {};  // what the user should know of it
  Vector stds = {};          // standard deviations
  std::vector<Progress> course = {};
  std::string no_course = {};  // why there is none
};

/// What a search knows about itself. State, course and times are for the caller to fill in.
SearchStatus status_of(const Optimizer& search, const MinimizeRequest& request);

/// The search's options with the budgets of all its runs.
Options budgets_of(const Optimizer& search, const MinimizeRequest& request);

/// In several lines. `request` says how a failed evaluation is repeated.
std::string status_text(const SearchStatus& status, const MinimizeRequest& request, const Space& space);

/// What is minimised, with all that it depends on, how, with which budget and seed, and what `auto` stands for.
std::string search_line(const MinimizeRequest& request, const Optimizer& search);

/// The line that a search begins with: short, all else is in its status.
std::string first_line(const MinimizeRequest& request, const Optimizer& search);

/// A call of `surefoot evaluate` that evaluates a point again.
std::string repeat_command(const MinimizeRequest& request, const Space& space, const Vector& x);

}  // namespace surefoot::cli
