#include "evaluators/answer_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

namespace surefoot {
namespace {

/// The word with an e for the D or d of a Fortran exponent.
std::string with_e(std::string_view word) {
  std::string plain(word);
  const std::size_t at = plain.find_first_of("Dd");
  if (at != std::string::npos && at > 0 && plain.find_first_not_of("+-.0123456789") == at) plain[at] = 'e';
  return plain;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n\f\v");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n\f\v") - first + 1);
}

std::string_view last_line(std::string_view output) {
  const std::string_view text = trimmed(output);
  return trimmed(text.substr(text.find_last_of('\n') + 1));  // npos + 1 is 0
}

std::optional<double> number_of(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const std::string plain = with_e(word);
  const char* const last = plain.data() + plain.size();
  double value = 0;
  const auto [end, error] = std::from_chars(plain.data(), last, value);
  if (plain.empty() || end != last) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    return std::strtod(plain.c_str(), nullptr);  // 1e999 is infinite, 1e-999 is 0
  }
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::vector<double> last_numbers(const std::string& output, std::string_view separators) {
  std::vector<double> numbers;
  for (std::string_view line = last_line(output); !line.empty();) {
    const std::size_t length = std::min(line.find_first_of(separators), line.size());
    const std::optional<double> number = number_of(line.substr(0, length));
    if (!number) return {};
    numbers.push_back(*number);
    line = trimmed(line.substr(length));
    if (!line.empty() && separators.find(line[0]) != std::string_view::npos) line = trimmed(line.substr(1));
  }
  return numbers;
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 80;
  return std::string(text.substr(0, longest)) + (text.size() > longest ? "..." : "");
}

}  // namespace surefoot
