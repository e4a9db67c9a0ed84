#pragma once

#include <string>
#include <vector>

#include "surefoot/types.hpp"

namespace surefoot {

/// "1,2,3" as numbers; inf and -inf are numbers too.
/// \throws std::invalid_argument naming the option and what is not a number.
std::vector<double> numbers_of(const std::string& option, const std::string& list);
Vector vector_of(const std::string& option, const std::string& list);

/// The same, or the point in a file for @FILE.
Vector point_of(const std::string& option, const std::string& given);

/// Points of a file, one per line; numbers are separated by commas or white space, and # begins a comment.
std::vector<Vector> points_of(const std::string& option, const std::string& file);

}  // namespace surefoot
