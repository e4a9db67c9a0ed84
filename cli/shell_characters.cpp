#include "cli/shell_characters.hpp"

#include <cctype>
#include <optional>
#include <string_view>

#include "core/invalid_option.hpp"
#include "evaluators/account_text.hpp"

namespace surefoot::cli {
namespace {

/// The part of an unquoted text that a shell would not leave as it is, at its beginning; empty if there is none.
std::string special_beginning(std::string_view text, bool begins_word) {
  const char c = text[0];
  const char next = text.size() > 1 ? text[1] : ' ';
  if ((c == '|' || c == '&') && next == c) return {c, c};
  if (std::string_view("|&;<>`*?").find(c) != std::string_view::npos) return {c};
  const bool names = std::isalpha(static_cast<unsigned char>(next)) != 0 || next == '_' || next == '{' || next == '(';
  if (c == '$' && names) return {c, next};
  if (c == '~' && begins_word && (next == '/' || next == ' ')) return {c};
  return {};
}

std::optional<std::string> special_in(std::string_view text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'') {
      ++i;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else {
      const std::string found = special_beginning(text.substr(i), i == 0 || text[i - 1] == ' ');
      if (!found.empty()) return found;
    }
  }
  return std::nullopt;
}

}  // namespace

void refuse_shell_characters(const std::string& option, const std::string& text) {
  const std::optional<std::string> found = special_in(text);
  if (!found) return;
  const std::string advice =
      option == "command" ? "write --command " + shell_text("sh -c " + shell_text(text)) + " for a shell, or quote"
                          : "quote";
  reject(
      option, "'" + text + "'",
      "no shell runs it, so " + *found + " would have no effect; " + advice + " what your program is to get as it is");
}

}  // namespace surefoot::cli
