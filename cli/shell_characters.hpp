#pragma once

#include <string>

namespace surefoot::cli {

/// Refuses what only a shell would understand, such as | or > outside quotes: no shell runs the command.
/// \throws std::invalid_argument naming the option, the character and what to write instead.
void refuse_shell_characters(const std::string& option, const std::string& text);

}  // namespace surefoot::cli
