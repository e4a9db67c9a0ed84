#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace surefoot::cli {

// Numbers as people write them.

/// 1e4 as 10000. Other words do not change.
std::string plain_integer(const std::string& word);

/// 90, 90s, 10m, 2h or 1d as seconds. Other words do not change.
std::string plain_seconds(const std::string& word);

/// The same for a number with a unit only, as 5s: without a unit it is not a time.
std::string plain_interval(const std::string& word);

/// Lets all options of a command and of those below it that take integers take 1e4 too.
void take_powers_of_ten(CLI::App& app);

}  // namespace surefoot::cli
