#pragma once

#include <span>
#include <string>
#include <string_view>

namespace surefoot {

/// A file compiled into the program, in the pieces that cmake/embed.cmake cut it into.
struct EmbeddedFile {
  std::string_view name;
  std::span<const std::string_view> parts;
};

/// Defined by the generated source file.
std::span<const EmbeddedFile> embedded_files();

/// The text of an embedded file; throws std::logic_error if the build left it out.
std::string embedded_text(std::string_view name);

}  // namespace surefoot
