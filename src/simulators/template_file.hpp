#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "evaluators/placeholders.hpp"

namespace surefoot {

/// A file of a simulator with {rate} or @rate@ in place of values. {{rate}} and @@rate@@ stand for themselves, {rate}
/// and @rate@. Other braces and signs stay as they are, if what they hold does not look like a name.
class TemplateFile {
 public:
  /// Reads the file. It is written under its name without .in at the end.
  /// \throws std::invalid_argument naming file, line and what is wrong.
  TemplateFile(const std::string& file, const Placeholders& placeholders);

  [[nodiscard]] const std::string& target() const { return target_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  /// The placeholders that it holds.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  [[nodiscard]] std::string filled(const Placeholders& placeholders, const ProgramCandidate& candidate) const;

  /// Writes it for a candidate into a folder.
  void write(const Placeholders& placeholders, const ProgramCandidate& candidate,
             const std::filesystem::path& folder) const;

 private:
  std::string file_;
  std::string text_;
  std::string target_;
  std::vector<std::string> names_;
};

}  // namespace surefoot
