// Texts of others on a terminal: control characters are shown, all else stays.

#include "core/printable_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace surefoot {
namespace {

TEST(PrintableText, ShowsControlCharacters) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"plain", "plain"},
      {"\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"},
      {"a\rb", "a\\rb"},
      {"a\r\nb\tc", "a\nb\tc"},
      {std::string("a\0b", 3), "a\\x00b"},
      {"\x7f", "\\x7f"},
      {"\xc2\x9b", "\\xc2\\x9b"},           // U+009B, which begins a sequence as ESC [ does
      {"\x9b", "\\x9b"},                    // the same for a terminal of one byte a character
      {"\xe2\x80\xa8", "\\xe2\\x80\\xa8"},  // U+2028, a line break
      {"\xc3\xa4\xe2\x82\xac", "\xc3\xa4\xe2\x82\xac"},
      {"\xe4", "\xe4"},  // a letter that is not UTF-8
      {"\xf0\x9f\x9a\x80", "\xf0\x9f\x9a\x80"}};
  for (const auto& [text, shown] : cases) EXPECT_EQ(printable(text), shown);
  EXPECT_EQ(printable_line("a\r\nb\tc"), "a\\r\\nb\\tc");
}

TEST(PrintableText, FindsControlCharacters) {
  for (const char* text : {"a\nb", "\t", "\x1b", "\xc2\x85", "\xe2\x80\xa9", "\x9b"}) {
    EXPECT_TRUE(has_control_character(text)) << printable_line(text);
  }
  for (const char* text : {"", "a b", "\xc3\xa4", "\xe2\x82\xac", "\xff", "\xf0\x9f\x9a\x80"}) {
    EXPECT_FALSE(has_control_character(text)) << text;
  }
}

}  // namespace
}  // namespace surefoot
