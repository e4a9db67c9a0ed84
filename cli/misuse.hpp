#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace surefoot::cli {

/// What is wrong with the words of the command line, in a sentence; where one is misspelt, with the name that was
/// probably meant. `first` is the first word.
std::string misuse(const CLI::App& app, const CLI::ParseError& error, const std::string& first);

/// Lets options refuse empty values. They are mostly what a shell makes of a variable that is not set, and would mean
/// that the option was not given. Empty --args mean no arguments.
void refuse_empty_values(CLI::App& app);

/// What `surefoot` alone says: the commands and two examples.
std::string overview(const CLI::App& app);

}  // namespace surefoot::cli
