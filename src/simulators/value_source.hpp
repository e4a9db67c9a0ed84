#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulators/line_pattern.hpp"

namespace surefoot {

/// Where a program leaves values:
///
///     json:cost                        of a JSON object on standard output; json:cost,weight are two, json:a.b is
///                                      inside a
///     regex:final cost = (.*)          the groups in the last line of standard output that matches
///     file:result.txt                  the numbers in the last line of a file in the candidate's folder
///     file:result.json|json:cost       the others in a file
///     stdout                           the numbers in the last line of standard output
///
/// With lists there may be any number of values: keys of JSON may be arrays, numbers may be separated by commas too,
/// and
///
///     column:3                         is a column of a table, by its number or its name; column:t,y are two
///
/// NAME= in front of it names the value, NAME,NAME= several. Keys of JSON and named groups, (?P<cost>.*), are names
/// too.
class ValueSource {
 public:
  /// \throws std::invalid_argument naming the text and what is wrong with it.
  explicit ValueSource(const std::string& text, bool has_lists = false);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// The file in the candidate's folder; empty: standard output.
  [[nodiscard]] const std::string& file() const { return file_; }
  /// How many values there are; empty if a line may have any number.
  [[nodiscard]] std::optional<std::size_t> count() const;
  /// What the values are called: as many as there are values, or none. Some may be empty.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// Appends its values. Returns why there are none, or nothing.
  [[nodiscard]] std::string read(const std::string& output, const std::filesystem::path& folder,
                                 std::vector<double>& values) const;

 private:
  void set_place(const std::string& place);
  void take_names(const std::string& names);
  [[nodiscard]] std::optional<std::size_t> count_of_source() const;
  [[nodiscard]] std::string read_keys(const std::string& content, std::vector<double>& values) const;

  std::string text_;
  bool has_lists_;
  std::string file_;
  std::vector<std::string> keys_;
  std::vector<std::string> columns_;
  std::vector<std::string> names_;
  std::shared_ptr<const LinePattern> pattern_;
};

}  // namespace surefoot
