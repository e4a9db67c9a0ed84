#pragma once

#include <string>
#include <vector>

namespace surefoot::cli {

/// The words after 'surefoot minimize' with those of a --config file in front, so that the command line wins.
/// \throws std::invalid_argument naming the file, the key and what is wrong.
std::vector<std::string> with_config(std::vector<std::string> words);

}  // namespace surefoot::cli
