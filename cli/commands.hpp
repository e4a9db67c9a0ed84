#pragma once

#include <CLI/CLI.hpp>

namespace surefoot::cli {

/// What the shell sees; documented in the help text and in docs/command-line.md.
enum class Exit : int {
  success = 0,        // target reached or converged; replay agrees
  stopped = 1,        // stopped before that by a budget or a degenerate distribution; replay deviates
  bad_usage = 2,      // wrong option, value or file
  interrupted = 130,  // by Ctrl-C or SIGTERM; what is finished is kept
};

// Each adds one subcommand. Its callback sets `status`; wrong input leaves it as std::invalid_argument.
void add_minimize(CLI::App& app, Exit& status);
void add_list(CLI::App& app, Exit& status);
void add_replay(CLI::App& app, Exit& status);
void add_report(CLI::App& app, Exit& status);
void add_reproduce(CLI::App& app, Exit& status);

}  // namespace surefoot::cli
