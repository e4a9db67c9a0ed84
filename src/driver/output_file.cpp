#include "driver/output_file.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

#include "core/invalid_option.hpp"

namespace surefoot {

namespace fs = std::filesystem;

namespace {

/// What a power cut leaves of a file whose bytes had not reached the disk.
bool is_only_zeros(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string block(1 << 16U, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    const auto end = block.begin() + in.gcount();
    if (std::any_of(block.begin(), end, [](char c) { return c != 0; })) return false;
  }
  return in.eof();
}

}  // namespace

fs::path linked_file(const fs::path& path) {
  constexpr int most_links = 40;  // as Linux
  fs::path file = path;
  std::error_code error;
  for (int i = 0; i < most_links && fs::is_symlink(file, error); ++i) {
    const fs::path target = fs::read_symlink(file, error);
    if (error) return path;
    file = target.is_absolute() ? target : file.parent_path() / target;
  }
  return file;
}

bool is_special(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return !error && fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

std::string first_bytes(const fs::path& path, std::size_t count) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::ifstream in(path, std::ios::binary);
  std::string bytes(count, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

void require_ours(const char* option, const fs::path& path, const std::string& beginning, const char* what_it_is_not) {
  std::error_code error;
  if (!fs::exists(path, error) || is_special(path)) return;
  if (fs::is_directory(path, error)) reject(option, path.string(), "it is a folder");
  // A file that is cut off in its first words is ours: a full disk and a power cut leave such files.
  if (beginning.starts_with(first_bytes(path, beginning.size())) || is_only_zeros(path)) return;
  reject(option, path.string(), std::string("the file exists and is not ") + what_it_is_not + "; it stays unchanged");
}

}  // namespace surefoot
