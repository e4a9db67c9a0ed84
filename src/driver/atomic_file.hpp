#pragma once

#include <filesystem>
#include <string>

namespace surefoot {

/// Writes the whole file or nothing: the text goes to a temporary file beside it, which is then renamed.
/// \throws std::runtime_error naming the file.
void write_atomically(const std::filesystem::path& path, const std::string& text);

/// \throws std::runtime_error naming the file.
std::string read_file(const std::filesystem::path& path);

}  // namespace surefoot
