#pragma once

#include <string>
#include <vector>

namespace surefoot::cli {

/// The words after 'surefoot minimize' with those of a --config file in front, so that the command line wins. A command
/// that has some of the options only, by their names in the table, passes over the others.
/// \throws std::invalid_argument naming the file, the key and what is wrong.
std::vector<std::string> with_config(std::vector<std::string> words, const std::vector<std::string>& only = {});

}  // namespace surefoot::cli
