#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace surefoot {

/// The fields of a line of comma-separated values that needs no quotes; a field may be empty.
std::vector<std::string> csv_fields(const std::string& line);

/// Reads a number, NaN or infinity. \throws std::invalid_argument for any other field.
double csv_number(const std::string& field);

/// Reads how often something happened. \throws std::invalid_argument for any other field.
std::int64_t csv_count(const std::string& field);

}  // namespace surefoot
