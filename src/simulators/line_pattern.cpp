#include "simulators/line_pattern.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <string_view>

#include "core/invalid_option.hpp"
#include "evaluators/answer_text.hpp"

namespace surefoot {
namespace {

/// Bytes in place of characters: a program may print text that is not UTF-8.
RE2::Options plain_options() {
  RE2::Options options(RE2::Latin1);
  options.set_log_errors(false);
  return options;
}

std::string advice_on(const std::string& pattern) {
  if (pattern.find("(?<") != std::string::npos && pattern.find("(?<=") == std::string::npos &&
      pattern.find("(?<!") == std::string::npos) {
    return "; a group gets its name by (?P<NAME>...)";
  }
  return "; the syntax is that of RE2, which has no references to groups and does not look ahead";
}

}  // namespace

struct LinePattern::Matcher {
  explicit Matcher(const std::string& pattern) : expression(pattern, plain_options()) {}

  /// Whether a line matches; then with its groups.
  bool match(std::string_view line, std::vector<re2::StringPiece>& groups) const {
    const re2::StringPiece piece(line.data(), line.size());
    return expression.Match(piece, 0, piece.size(), RE2::UNANCHORED, groups.data(), static_cast<int>(groups.size()));
  }

  RE2 expression;
};

LinePattern::LinePattern(const std::string& output, const std::string& pattern)
    : matcher_(std::make_shared<Matcher>(pattern)) {
  const RE2& expression = matcher_->expression;
  if (!expression.ok()) {
    reject("output", "'" + output + "'",
           "the pattern is not a regular expression (" + expression.error() + ")" + advice_on(pattern));
  }
  if (expression.NumberOfCapturingGroups() == 0) {
    reject("output", "'" + output + "'", "the pattern needs a group for the value, as in cost = (.*)");
  }
  names_.resize(static_cast<std::size_t>(expression.NumberOfCapturingGroups()));
  for (const auto& [number, name] : expression.CapturingGroupNames()) {
    names_[static_cast<std::size_t>(number) - 1] = name;
  }
}

std::string LinePattern::read(const std::string& content, std::vector<double>& values) const {
  std::vector<re2::StringPiece> groups(1 + count());
  std::string_view rest = content;
  bool has_matched = false;
  while (!rest.empty() && !has_matched) {  // from the last line backwards
    if (rest.back() == '\n') rest.remove_suffix(1);
    const std::size_t begin = rest.rfind('\n') + 1;  // npos + 1 is 0
    std::string_view line = rest.substr(begin);
    rest = rest.substr(0, begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    has_matched = matcher_->match(line, groups);
  }
  if (!has_matched) return "no line matches; the last one is '" + excerpt(last_line(content)) + "'";
  for (std::size_t i = 1; i < groups.size(); ++i) {
    const std::string_view group(groups[i].data(), groups[i].size());
    const auto number = number_of(trimmed(group));
    if (!number) return "'" + excerpt(group) + "' is not a number";
    values.push_back(*number);
  }
  return {};
}

}  // namespace surefoot
