#include "cli/integer_range.hpp"

#include <charconv>
#include <cstdint>
#include <string>
#include <type_traits>

namespace surefoot::cli {
namespace {

template <class Integer>
bool is_too_large(const std::string& word) {
  const std::size_t sign = !word.empty() && word[0] == '+' ? 1 : 0;
  Integer number = 0;
  const auto [end, error] = std::from_chars(word.data() + sign, word.data() + word.size(), number);
  static_cast<void>(end);
  return error == std::errc::result_out_of_range;
}

/// Empty if the word is allowed, as CLI11 wants it.
template <class Integer>
std::string complaint(const std::string& word) {
  if (std::is_unsigned_v<Integer> && word.starts_with('-')) {
    return "'" + word + "' is not allowed: it must be an integer from 0";
  }
  if (!is_too_large<Integer>(word)) return {};
  return word + " is not allowed: it is beyond " + (word[0] == '-' ? "the smallest" : "the largest") +
         " integer of 64 bits, " +
         std::to_string(word[0] == '-' ? std::numeric_limits<Integer>::min() : std::numeric_limits<Integer>::max());
}

}  // namespace

void refuse_huge_integers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (type.starts_with("INT")) option->check(complaint<std::int64_t>);
    if (type.starts_with("UINT")) option->check(complaint<std::uint64_t>);
  }
  for (CLI::App* command : app.get_subcommands({})) refuse_huge_integers(*command);
}

}  // namespace surefoot::cli
