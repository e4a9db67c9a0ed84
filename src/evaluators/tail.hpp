#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace surefoot {

/// The end of a text that may be endless.
class Tail {
 public:
  explicit Tail(std::size_t limit) : limit_(limit) {}

  void append(std::string_view text) {
    text_ += text;
    if (text_.size() > 2 * limit_) shorten();
  }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  [[nodiscard]] bool has_line() const { return text_.find('\n') != std::string::npos; }

  /// Adds a line of our own.
  void note(std::string_view line) {
    if (!empty()) append("\n");
    append(line);
  }

  /// A text that was cut begins with a whole line, if there is one: half a line could be taken for a value.
  std::string take() {
    if (text_.size() > limit_) shorten();
    const std::size_t newline = cut_ ? text_.find('\n') : std::string::npos;
    if (newline != std::string::npos && newline + 1 < text_.size()) text_.erase(0, newline + 1);
    cut_ = false;
    return std::exchange(text_, {});
  }

  /// Removes the first line if it is complete, and returns it.
  std::optional<std::string> take_line() {
    const std::size_t newline = text_.find('\n');
    if (newline == std::string::npos) return std::nullopt;
    std::string line = text_.substr(0, newline);
    text_.erase(0, newline + 1);
    return line;
  }

 private:
  void shorten() {
    text_.erase(0, text_.size() - limit_);
    cut_ = true;
  }

  std::size_t limit_;
  bool cut_ = false;
  std::string text_;
};

}  // namespace surefoot
