#include "driver/atomic_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace surefoot {

void write_atomically(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path temporary = path.string() + ".tmp";
  {
    std::ofstream file(temporary, std::ios::binary);
    file << text;
    file.flush();
    if (!file) throw std::runtime_error(path.string() + " cannot be written (" + std::strerror(errno) + ")");
  }
  std::filesystem::rename(temporary, path);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(path.string() + " cannot be read (" + std::strerror(errno) + ")");
  return text.str();
}

}  // namespace surefoot
