#include "driver/trace/json_line.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace surefoot {
namespace {

/// The decimal digits of a positive number and the place of its point: 0.DIGITS times ten to the exponent.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal decimal_of(double value) {
  std::array<char, 32> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  static_cast<void>(error);  // 32 characters hold every double
  const std::string text(buffer.data(), end);
  const std::size_t e = text.find('e');
  Decimal decimal{text.substr(0, e), std::atoi(text.c_str() + e + 1) + 1};  // NOLINT(cert-err34-c): to_chars wrote it
  if (decimal.digits.size() > 1) decimal.digits.erase(1, 1);                // the point
  return decimal;
}

std::string scientific(const Decimal& decimal) {
  std::string text = decimal.digits;
  if (text.size() > 1) text.insert(1, 1, '.');
  const int power = decimal.exponent - 1;
  text += power < 0 ? "e-" : "e+";
  if (std::abs(power) < 10) text += "0";
  return text + std::to_string(std::abs(power));
}

/// Plain where it is short, as people write numbers.
std::string positive(double value) {
  Decimal decimal = decimal_of(value);
  const auto length = static_cast<int>(decimal.digits.size());
  const int point = decimal.exponent;
  if (point > 15 || point <= -4) return scientific(decimal);
  if (point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0') + decimal.digits;
  if (point >= length) return decimal.digits + std::string(static_cast<std::size_t>(point - length), '0') + ".0";
  return decimal.digits.insert(static_cast<std::size_t>(point), 1, '.');
}

/// Bytes of the UTF-8 character at the front of the text; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  const bool is_overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool is_outside = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return is_overlong || is_outside ? 0 : length;
}

std::string escaped(char c) {
  switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\b': return "\\b";
    case '\f': return "\\f";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
  }
  if (static_cast<unsigned char>(c) >= 0x20) return {c};
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  return std::string("\\u00") + hexadecimal[code >> 4U] + hexadecimal[code & 15U];
}

}  // namespace

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  const std::string size = value == 0 ? "0.0" : positive(std::abs(value));
  return std::signbit(value) ? "-" + size : size;
}

std::string json_text(std::string_view text) {
  std::string json = "\"";
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) json += "\xef\xbf\xbd";
    if (length == 1) json += escaped(text[0]);
    if (length > 1) json += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return json + "\"";
}

void JsonLine::add_json(std::string_view key, std::string_view json) {
  if (!members_.empty()) members_ += ",";
  members_ += json_text(key);
  members_ += ":";
  members_ += json;
}

void JsonLine::add_all(const JsonLine& other) {
  if (!members_.empty() && !other.members_.empty()) members_ += ",";
  members_ += other.members_;
}

}  // namespace surefoot
