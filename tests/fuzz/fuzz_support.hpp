#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace surefoot::fuzz {

/// Takes bytes of the input as numbers; zeros at its end.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : rest_(bytes) {}
  std::size_t below(std::size_t count) {
    if (rest_.empty() || count == 0) return 0;
    const std::size_t value = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return value % count;
  }
  std::uint64_t word() {
    std::uint64_t word = 0;
    for (int i = 0; i < 8; ++i) word = word << 8U | below(256);
    return word;
  }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

/// This process's folder, in memory if there is such a place, because an execution writes files. It is removed at the
/// end.
inline const std::filesystem::path& folder() {
  static const struct Folder {
    std::filesystem::path path;
    Folder() {
      const std::filesystem::path memory = "/dev/shm";
      const auto root = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
      path = root / ("surefoot-fuzz-" + std::to_string(getpid()));
      std::filesystem::create_directories(path);
    }
    Folder(const Folder&) = delete;
    Folder(Folder&&) = delete;
    Folder& operator=(const Folder&) = delete;
    Folder& operator=(Folder&&) = delete;
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  } own;
  return own.path;
}

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  std::string bytes(in ? static_cast<std::size_t>(in.tellg()) : 0, '\0');
  in.seekg(0);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

inline void put(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Any other exception, and any crash, is a finding.
template <class Read>
void accept_or_refuse(const Read& read) {
  try {
    read();
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace surefoot::fuzz
