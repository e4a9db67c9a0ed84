#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/minimize_request.hpp"

namespace surefoot::cli {

/// Least squares: `minimize` with --residuals or --data.
Exit run_fit(const MinimizeRequest& request, const CLI::App& command);

}  // namespace surefoot::cli
