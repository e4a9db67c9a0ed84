#pragma once

#include <CLI/CLI.hpp>

namespace surefoot::cli {

/// Makes all options of a command and of those below it that take integers refuse what 64 bits cannot hold: CLI11 would
/// take the nearest number that they can.
void refuse_huge_integers(CLI::App& app);

}  // namespace surefoot::cli
