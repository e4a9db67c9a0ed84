#include "driver/telling_line.hpp"

#include <algorithm>

#include "core/printable_text.hpp"

namespace surefoot {
namespace {

constexpr std::size_t longest_first = 80;  // bytes
constexpr std::size_t longest_last = 160;

bool is_inside_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }  // of UTF-8

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

std::string_view beginning(std::string_view text, std::size_t length) {
  if (text.size() <= length) return text;
  while (length > 0 && is_inside_character(text[length])) --length;
  return text.substr(0, length);
}

std::string_view ending(std::string_view text, std::size_t length) {
  if (text.size() <= length) return text;
  std::size_t begin = text.size() - length;
  while (begin < text.size() && is_inside_character(text[begin])) ++begin;
  return text.substr(begin);
}

}  // namespace

std::string telling_line(std::string_view text) {
  text = without_blanks(text);
  const std::size_t line_end = text.find('\n');
  const bool is_short = text.size() <= longest_first + longest_last;
  if (line_end == std::string_view::npos && is_short) return printable_line(text);
  std::string_view first = without_blanks(text.substr(0, line_end));
  std::string_view last = without_blanks(text.substr(text.rfind('\n') + 1));  // all of it if there is one line
  const bool leaves_out = line_end == std::string_view::npos || line_end != text.rfind('\n') ||
                          first.size() > longest_first || last.size() > longest_last;
  return printable_line(beginning(first, longest_first)) + (leaves_out ? " ... " : " ") +
         printable_line(ending(last, longest_last));
}

}  // namespace surefoot
