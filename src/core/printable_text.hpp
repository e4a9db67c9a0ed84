#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace surefoot {

/// The bytes of the UTF-8 character at the beginning of a text, from 2 to 4; 0 for ASCII and for what is not UTF-8.
std::size_t length_of_character(std::string_view text);

/// Whether a text has a control character: one of ASCII, DEL, U+0080 to U+009F, or a line break of Unicode.
bool has_control_character(std::string_view text);

/// The text as a terminal may show it: control characters become \x1b, \r and so on. Line breaks and tabs stay.
std::string printable(std::string_view text);
/// The same in one line: line breaks and tabs become \n and \t.
std::string printable_line(std::string_view text);

}  // namespace surefoot
