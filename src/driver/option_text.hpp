#pragma once

#include <string>
#include <vector>

#include "surefoot/options.hpp"

namespace surefoot {

/// Sets the option of this name in the table to what a text says: "1e-8", "true", "ipop:5".
/// \throws std::invalid_argument naming the option, the text and what is allowed.
void set_option(Options& options, const std::string& name, const std::string& text);

/// The names that `set_option` knows.
std::vector<std::string> text_options();

/// true or false, on or off.
bool truth_of(const std::string& option, const std::string& text);

}  // namespace surefoot
