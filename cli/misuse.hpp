#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace surefoot::cli {

/// What was misspelt, if an unknown command or option is the reason of an error, with the name that was probably meant;
/// empty for other errors. `first` is the first word of the command line.
std::string misspelling(const CLI::App& app, const std::string& first);

/// What `surefoot` alone says: the commands and two examples.
std::string overview(const CLI::App& app);

}  // namespace surefoot::cli
