#include "cli/quantities.hpp"

#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "core/invalid_option.hpp"

namespace surefoot::cli {
namespace {

std::optional<double> whole_number(const std::string& word) {
  double number = 0;
  const char* const last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, number);
  if (word.empty() || error != std::errc() || end != last) return std::nullopt;
  return number;
}

}  // namespace

std::string plain_integer(const std::string& word) {
  constexpr double largest = 9007199254740992;  // 2^53
  const bool has_power = word.find_first_of("eE") != std::string::npos;
  const std::optional<double> number = has_power ? whole_number(word) : std::nullopt;
  if (!number || *number != std::floor(*number) || std::abs(*number) > largest) return word;
  return text(static_cast<std::int64_t>(*number));
}

std::string plain_seconds(const std::string& word) {
  const std::map<char, double> units = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
  const auto unit = word.empty() ? units.end() : units.find(word.back());
  if (unit == units.end()) return word;
  const std::optional<double> number = whole_number(word.substr(0, word.size() - 1));
  return number ? text(*number * unit->second) : word;
}

std::string plain_interval(const std::string& word) {
  const std::string seconds = plain_seconds(word);
  return seconds == word ? plain_integer(word) : seconds + "s";
}

void take_powers_of_ten(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (type.starts_with("INT") || type.starts_with("UINT")) option->transform(plain_integer, "", "");
  }
  for (CLI::App* command : app.get_subcommands({})) take_powers_of_ten(*command);
}

}  // namespace surefoot::cli
