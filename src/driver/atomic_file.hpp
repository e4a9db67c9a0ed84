#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace surefoot {

/// Something could not be written: a full disk, mostly.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Whether the bytes must be on the disk before the name changes, so that a power cut leaves the old file or the new.
enum class Durability { none, synced };

/// Writes the whole file or nothing: the text goes to a temporary file beside it, which is then renamed. A link stays
/// one: the file that it leads to is replaced. Devices and pipes are written to.
/// \throws OutputError naming the file.
void write_atomically(const std::filesystem::path& path, const std::string& text,
                      Durability durability = Durability::none);

/// \throws std::runtime_error naming the file.
std::string read_file(const std::filesystem::path& path);

}  // namespace surefoot
