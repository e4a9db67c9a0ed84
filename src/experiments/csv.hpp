#pragma once

#include <string>
#include <vector>

namespace surefoot {

/// The fields of a line of comma-separated values that needs no quotes; a field may be empty.
std::vector<std::string> csv_fields(const std::string& line);

/// \throws std::invalid_argument for a field that is no number. NaN and infinity are.
double csv_number(const std::string& field);

}  // namespace surefoot
