#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/minimize_request.hpp"
#include "surefoot/space.hpp"

namespace surefoot::cli {

/// Names of the options of `surefoot minimize` that say what to evaluate.
const std::vector<std::string>& evaluate_options();

/// Evaluates points with the user's program: the start with what --set says, or the lines of stdin. Prints the values
/// of each in a line, or with --check everything about it.
Exit evaluate_program(const MinimizeRequest& request, const std::vector<std::string>& settings);

/// The point with the values of NAME=VALUE in place of its own; an empty one must get all coordinates.
/// \throws std::invalid_argument naming the setting and what is allowed.
Vector with_settings(const Space& space, Vector x, const std::vector<std::string>& settings);

}  // namespace surefoot::cli
