#pragma once

#include <string>
#include <vector>

#include "driver/merit/constraint_rules.hpp"
#include "evaluators/simulation.hpp"

namespace surefoot {

/// Words as a shell takes them: those with special characters are quoted.
std::string shell_text(const std::vector<std::string>& words);
std::string shell_text(const std::string& word);

/// All about one evaluation: command line, folder, input, output, seconds, f and the constraints by name.
std::string account_text(const ProgramAccount& account, const ConstraintRules& rules);

}  // namespace surefoot
