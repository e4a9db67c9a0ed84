#pragma once

#include <optional>
#include <string>
#include <vector>

namespace surefoot::cli {

/// The screen that these words ask for: `minimize --help` with the options that most searches need, `help`, or
/// `help TOPIC`. Empty for all other words. CLI11 prints the help with all options.
/// \throws std::invalid_argument for an unknown topic.
std::optional<std::string> help_screen(const std::vector<std::string>& words);

/// The words with --help for --help-all, which asks `minimize` for all of its options.
std::vector<std::string> with_full_help(std::vector<std::string> words);

}  // namespace surefoot::cli
