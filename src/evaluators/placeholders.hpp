#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/space.hpp"

namespace surefoot {

/// One candidate on its way to a program.
struct ProgramCandidate {
  Vector x;
  std::string id;
  std::function<std::filesystem::path()> folder;  // its own; makes it if there is none yet
};

/// What {NAME} stands for in a program's words and files: {x}, {x0}, {x1}, ..., {id}, {dir}, {here} and the names of
/// parameters, which come first.
class Placeholders {
 public:
  explicit Placeholders(Space space);

  [[nodiscard]] bool knows(const std::string& name) const;
  /// "known are ...", for messages.
  [[nodiscard]] std::string known() const;
  /// The parameter whose name is most like this one; none if no name is.
  [[nodiscard]] std::optional<std::string> like(const std::string& name) const;
  /// The coordinates that a name stands for, of `dimension`.
  [[nodiscard]] std::vector<Index> coordinates_of(const std::string& name, Index dimension) const;
  /// \throws std::invalid_argument for a coordinate that the candidate does not have.
  [[nodiscard]] std::string value(const std::string& name, const ProgramCandidate& candidate) const;

  /// A text of --args: all names in braces must be known. `option` is for the message.
  void check(const std::string& option, const std::string& text) const;
  /// A word of --command, in which braces may mean something else: a name must only be known if it is like one.
  void check_command(const std::string& word) const;
  /// The text with all known names in braces replaced.
  [[nodiscard]] std::string filled(const std::string& text, const ProgramCandidate& candidate) const;
  /// The known names in braces of a text.
  [[nodiscard]] std::vector<std::string> names_in(const std::string& text) const;

  [[nodiscard]] const Space& space() const { return space_; }

 private:
  Space space_;
  std::string here_;  // the folder in which the search was started
};

/// All values of a candidate with a separator between them.
std::string joined_values(const Space& space, const Vector& x, char separator);

/// What a program reads: values or, where they have names, names and values, rate 0.1 layers 3.
std::string input_line(const Space& space, const Vector& x);

}  // namespace surefoot
