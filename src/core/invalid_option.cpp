#include "core/invalid_option.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace surefoot {

std::string text(double value) {
  std::array<char, 32> digits{};
  const auto result = std::to_chars(digits.begin(), digits.end(), value);
  return {digits.begin(), result.ptr};
}

std::string short_text(double value) {
  std::array<char, 32> digits{};
  const auto result = std::to_chars(digits.begin(), digits.end(), value, std::chars_format::general, 3);
  return {digits.begin(), result.ptr};
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

void reject(std::string_view option, std::string_view value, std::string_view allowed) {
  std::string message(option);
  message.append(" = ").append(value).append(" is not allowed: ").append(allowed);
  throw std::invalid_argument(message);
}

double require_positive(std::string_view option, double value) {
  if (!(value > 0 && std::isfinite(value))) reject(option, value, "it must be a finite number > 0");
  return value;
}

}  // namespace surefoot
