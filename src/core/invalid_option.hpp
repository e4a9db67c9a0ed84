#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace surefoot {

/// Shortest text that reads back as the same number.
std::string text(double value);
std::string text(std::integral auto value) { return std::to_string(value); }

/// Three significant digits, for sentences.
std::string short_text(double value);

/// "a, b, c".
std::string listed(const std::vector<std::string>& names);

/// The one form of a message about wrong input: option, value, what is allowed. Throws std::invalid_argument.
[[noreturn]] void reject(std::string_view option, std::string_view value, std::string_view allowed);

template <class Number>
requires std::is_arithmetic_v<Number>
[[noreturn]] void reject(std::string_view option, Number value, std::string_view allowed) {
  reject(option, text(value), allowed);
}

/// \throws std::invalid_argument unless value > 0 and finite.
double require_positive(std::string_view option, double value);

}  // namespace surefoot
