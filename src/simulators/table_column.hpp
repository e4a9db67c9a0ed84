#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace surefoot {

/// The cells of a line of a table. A line with commas or semicolons is divided at those, any other at blanks; quotes
/// around a cell are left out.
std::vector<std::string> cells_of(std::string_view line);

/// Appends the numbers of a column, which is named by its number, from 1 on, or by the name in the first line. Empty
/// lines and those that begin with # do not count, nor does a first line of names. Returns why it cannot.
std::string append_column(std::string_view table, const std::string& column, std::vector<double>& values);

}  // namespace surefoot
