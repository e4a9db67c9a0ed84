#pragma once

#include <memory>
#include <string>
#include <vector>

namespace surefoot {

/// A regular expression with a group for each value, applied to single lines. The time is linear in the length of the
/// text, whatever the pattern is (RE2).
class LinePattern {
 public:
  /// \throws std::invalid_argument naming the text of the output and what is wrong with the pattern.
  LinePattern(const std::string& output, const std::string& pattern);

  [[nodiscard]] std::size_t count() const { return names_.size(); }
  /// The names of the groups, as in (?P<cost>.*); empty for those that have none.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// Appends the values in the last line that matches. Returns why there are none, or nothing.
  [[nodiscard]] std::string read(const std::string& content, std::vector<double>& values) const;

 private:
  struct Matcher;

  std::shared_ptr<const Matcher> matcher_;
  std::vector<std::string> names_;
};

}  // namespace surefoot
