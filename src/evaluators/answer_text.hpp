#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace surefoot {

/// Without blanks and ends of lines around it.
std::string_view trimmed(std::string_view text);

/// The last line that is not blank.
std::string_view last_line(std::string_view output);

/// The number that a whole word is. Fortran's 1.5D-3 is one too.
std::optional<double> number_of(std::string_view word);

/// The numbers in the last line of a program's output, separated by blanks or other characters; none if something in it
/// is not a number.
std::vector<double> last_numbers(const std::string& output, std::string_view separators = " \t");

/// The beginning of a text, enough for a sentence.
std::string excerpt(std::string_view text);

}  // namespace surefoot
