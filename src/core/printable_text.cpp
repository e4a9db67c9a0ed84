#include "core/printable_text.hpp"

#include <array>

namespace surefoot {
namespace {

unsigned byte_of(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

/// The bytes of the control character at the beginning of a text; 0 if another character is there. Terminals that do
/// not know UTF-8 take single bytes from 0x80 to 0x9f for controls.
std::size_t length_of_control(std::string_view text) {
  const unsigned first = byte_of(text, 0);
  const unsigned second = byte_of(text, 1);
  if (first < 0x20 || first == 0x7F) return 1;
  const std::size_t length = length_of_character(text);
  if (length == 0) return first >= 0x80 && first < 0xA0 ? 1 : 0;
  if (first == 0xC2 && second < 0xA0) return 2;
  const bool is_separator = first == 0xE2 && second == 0x80 && (byte_of(text, 2) == 0xA8 || byte_of(text, 2) == 0xA9);
  return is_separator ? 3 : 0;
}

void append_escaped(std::string_view control, std::string& shown) {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::array<std::string_view, 3> letters = {"\tt", "\nn", "\rr"};
  for (const std::string_view letter : letters) {
    if (control[0] == letter[0]) {
      shown.append("\\").append(letter.substr(1));
      return;
    }
  }
  for (const char c : control) {
    const auto byte = static_cast<unsigned char>(c);
    shown.append("\\x").append(1, digits[byte / 16U]).append(1, digits[byte % 16U]);
  }
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string shown;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    const std::size_t length = length_of_control(rest);
    if (length == 0) {
      const std::size_t whole = length_of_character(rest);
      shown.append(rest.substr(0, whole == 0 ? 1 : whole));
      i += whole == 0 ? 1 : whole;
      continue;
    }
    const bool ends_line = !kept.empty() && rest.starts_with("\r\n");
    if (kept.find(rest[0]) != std::string_view::npos) {
      shown += rest[0];
    } else if (!ends_line) {
      append_escaped(rest.substr(0, length), shown);
    }
    i += length;
  }
  return shown;
}

}  // namespace

std::size_t length_of_character(std::string_view text) {
  const unsigned first = byte_of(text, 0);
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_of(text, i) & 0xC0U) != 0x80U) return 0;
  }
  const bool is_long = (first == 0xE0 && byte_of(text, 1) < 0xA0) || (first == 0xF0 && byte_of(text, 1) < 0x90);
  const bool is_beyond = (first == 0xED && byte_of(text, 1) > 0x9F) || (first == 0xF4 && byte_of(text, 1) > 0x8F);
  return is_long || is_beyond ? 0 : length;
}

bool has_control_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (length_of_control(rest) > 0) return true;
    const std::size_t length = length_of_character(rest);
    i += length == 0 ? 1 : length;
  }
  return false;
}

std::string printable(std::string_view text) { return escaped(text, "\n\t"); }
std::string printable_line(std::string_view text) { return escaped(text, ""); }

}  // namespace surefoot
