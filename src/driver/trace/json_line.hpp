#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace surefoot {

/// The shortest text that reads back as the same number; null for NaN and infinity, which JSON does not have.
std::string json_number(double value);

/// A quoted text. Bytes that are not UTF-8 become the replacement character.
std::string json_text(std::string_view text);

/// One JSON object on one line, written member by member. The library writes traces with it, so that its users need no
/// library for JSON.
class JsonLine {
 public:
  void add(std::string_view key, double value) { add_json(key, json_number(value)); }
  void add(std::string_view key, std::int64_t value) { add_json(key, std::to_string(value)); }
  void add(std::string_view key, std::string_view text) { add_json(key, json_text(text)); }
  /// A member whose value is JSON already.
  void add_json(std::string_view key, std::string_view json);

  /// The members of another object.
  void add_all(const JsonLine& other);

  /// The object so far.
  [[nodiscard]] std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace surefoot
