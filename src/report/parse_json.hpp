#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace surefoot {

/// Whether brackets outside of strings are nested deeper than anything that this program writes. What is written and
/// compared recursively would exhaust the stack.
inline bool is_deeply_nested(std::string_view text) {
  constexpr int deepest = 64;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '[' || c == '{')) {
      if (++depth > deepest) return true;
    } else if (!in_string && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return false;
}

/// JSON of a file that anybody may have written; a discarded value if it is invalid.
inline nlohmann::ordered_json parse_json(const std::string& text) {
  using Value = nlohmann::ordered_json;
  return is_deeply_nested(text) ? Value(Value::value_t::discarded) : Value::parse(text, nullptr, false);
}

}  // namespace surefoot
