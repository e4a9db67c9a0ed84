#include "driver/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "driver/output_file.hpp"

namespace surefoot {
namespace {

[[noreturn]] void fail_writing(const std::filesystem::path& path, int error) {
  throw OutputError(path.string() + " cannot be written (" + std::strerror(error) + ")");
}

/// The errno of the first thing that went wrong, or 0. Closes the descriptor.
int write_and_close(int descriptor, std::string_view text, Durability durability) {
  int error = 0;
  while (!text.empty() && error == 0) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count >= 0) text.remove_prefix(static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) error = errno;
  }
  if (error == 0 && durability == Durability::synced && ::fsync(descriptor) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0 && errno != EINTR) error = errno;
  return error;
}

/// Opens a file that did not exist, beside another one.
int create_temporary(const std::filesystem::path& file, std::string& name) {
  static std::atomic<unsigned> count = 0;
  int descriptor = -1;
  do {
    name = file.string() + "." + std::to_string(::getpid()) + "." + std::to_string(count++) + ".tmp";
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && (errno == EEXIST || errno == EINTR));
  return descriptor;
}

}  // namespace

void write_atomically(const std::filesystem::path& path, const std::string& text, Durability durability) {
  if (is_special(path)) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const int error = descriptor < 0 ? errno : write_and_close(descriptor, text, Durability::none);
    if (error != 0) fail_writing(path, error);
    return;
  }
  const std::filesystem::path file = linked_file(path);
  std::string temporary;
  const int descriptor = create_temporary(file, temporary);
  if (descriptor < 0) fail_writing(path, errno);
  int error = write_and_close(descriptor, text, durability);
  if (error == 0 && ::rename(temporary.c_str(), file.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary.c_str());
  fail_writing(path, error);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(path.string() + " cannot be read (" + std::strerror(errno) + ")");
  return text.str();
}

}  // namespace surefoot
