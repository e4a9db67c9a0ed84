#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace surefoot {

/// Where a program leaves values:
///
///     json:cost                        of a JSON object on standard output; json:cost,weight are two, json:a.b is
///     inside a regex:final cost = (.*)          the groups in the last line of standard output that matches
///     file:result.txt                  the numbers in the last line of a file in the candidate's folder
///     file:result.json|json:cost       the others in a file
///     stdout                           the numbers in the last line of standard output
class ValueSource {
 public:
  /// \throws std::invalid_argument naming the text and what is wrong with it.
  explicit ValueSource(const std::string& text);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// The file in the candidate's folder; empty: standard output.
  [[nodiscard]] const std::string& file() const { return file_; }
  /// How many values there are; empty if a line may have any number.
  [[nodiscard]] std::optional<std::size_t> count() const;
  /// Keys of JSON; empty where values have none.
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }

  /// Appends its values. Returns why there are none, or nothing.
  [[nodiscard]] std::string read(const std::string& output, const std::filesystem::path& folder,
                                 std::vector<double>& values) const;

 private:
  class Pattern;

  void set_place(const std::string& place);
  [[nodiscard]] std::string read_keys(const std::string& content, std::vector<double>& values) const;

  std::string text_;
  std::string file_;
  std::vector<std::string> keys_;
  std::shared_ptr<const Pattern> pattern_;
};

}  // namespace surefoot
