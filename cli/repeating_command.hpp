#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace surefoot::cli {

/// The command line that repeats a search, without options that do not change its course: files, workers, what is
/// printed, and budgets that a resumed search may raise.
[[nodiscard]] std::string repeating_command(const CLI::App& command);

}  // namespace surefoot::cli
