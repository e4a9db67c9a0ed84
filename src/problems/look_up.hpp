#pragma once

#include <string>
#include <vector>

#include "surefoot/constrained.hpp"
#include "surefoot/practical.hpp"
#include "surefoot/problems.hpp"

namespace surefoot {

/// The row of the table of problems; nullptr if there is none.
const Problem* look_up_problem(const std::string& name);

std::vector<std::string> problem_names();

/// The same for practical problems.
const PracticalProblem* look_up_practical(const std::string& name);

std::vector<std::string> practical_names();

/// The same for constrained problems.
const ConstrainedProblem* look_up_constrained(const std::string& name);

std::vector<std::string> constrained_names();

}  // namespace surefoot
