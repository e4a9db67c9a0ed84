#include "driver/option_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <type_traits>

#include "core/invalid_option.hpp"
#include "driver/option_fields.hpp"
#include "driver/space/space_text.hpp"
#include "surefoot/option_table.hpp"

namespace surefoot {
namespace {

[[noreturn]] void refuse_text(const std::string& name, const std::string& text, const char* allowed) {
  reject(name, "'" + text + "'", allowed);
}

double number_of_text(const std::string& name, const std::string& text) {
  const std::optional<double> number = number_in(text);
  if (!number) refuse_text(name, text, "it must be a number");
  return *number;
}

/// Digits, or a number without fraction: 1e5 evaluations are a number that people write.
template <std::integral Integer>
Integer integer_of_text(const std::string& name, const std::string& text) {
  Integer value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop == end && error == std::errc()) return value;
  const std::optional<double> number = number_in(text);
  if (!number || std::floor(*number) != *number) refuse_text(name, text, "it must be an integer");
  if (std::is_unsigned_v<Integer> && *number < 0) refuse_text(name, text, "it must be from 0 to 2^64 - 1");
  constexpr double most = sizeof(Integer) < sizeof(std::int64_t) ? 2147483647.0 : 9e15;  // exact as doubles
  if (std::abs(*number) > most) refuse_text(name, text, "it is too large");
  return static_cast<Integer>(*number);
}

void read_text(const std::string& name, const std::string& text, double& member) {
  member = number_of_text(name, text);
}
void read_text(const std::string& name, const std::string& text, int& member) {
  member = integer_of_text<int>(name, text);
}
void read_text(const std::string& name, const std::string& text, bool& member) { member = truth_of(name, text); }
void read_text(const std::string& name, const std::string& text, std::optional<double>& member) {
  member = number_of_text(name, text);
}
template <std::integral Integer>
void read_text(const std::string& name, const std::string& text, std::optional<Integer>& member) {
  member = integer_of_text<Integer>(name, text);
}
template <class T>
requires std::is_constructible_v<T, std::string>
void read_text(const std::string& /*name*/, const std::string& text, T& member) { member = T(text); }

template <class T>
concept ReadableText = requires(const std::string& text, T& member) {
  read_text(text, text, member);
};

/// What the command line has as one option can be said in one text.
template <class T>
bool has_text(const std::string& name) {
  return ReadableText<T> && !find_option(name).cli.empty();
}

}  // namespace

bool truth_of(const std::string& option, const std::string& text) {
  if (text == "true" || text == "on") return true;
  if (text == "false" || text == "off") return false;
  refuse_text(option, text, "it must be true or false");
}

std::vector<std::string> text_options() {
  std::vector<std::string> names;
  Options options;
  visit_options(options, [&]<class T>(const char* name, T& /*member*/) {
    if (has_text<T>(name)) names.emplace_back(name);
  });
  return names;
}

void set_option(Options& options, const std::string& name, const std::string& text) {
  bool is_known = false;
  visit_options(options, [&]<class T>(const char* member_name, T& member) {
    if (name != member_name || !has_text<T>(name)) return;
    is_known = true;
    if constexpr (ReadableText<T>) read_text(name, text, member);
  });
  if (!is_known) reject("option", "'" + name + "'", "there are " + listed(text_options()));
}

}  // namespace surefoot
