#pragma once

#include "cli/commands.hpp"
#include "cli/minimize_request.hpp"

namespace surefoot::cli {

/// --check: evaluates the start point and shows everything about it. Nothing else is written.
Exit run_check(const MinimizeRequest& request);

}  // namespace surefoot::cli
