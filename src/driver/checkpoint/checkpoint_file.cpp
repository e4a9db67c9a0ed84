#include "driver/checkpoint/checkpoint_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/checkpoint_container.hpp"
#include "driver/output_file.hpp"

namespace surefoot {
namespace {

std::string reason(int error) { return " (" + std::generic_category().message(error) + ")"; }

[[noreturn]] void fail_to_write(const std::string& file, int error = errno) {
  throw std::runtime_error(file + " cannot be written" + reason(error));
}

[[noreturn]] void fail_to_read(int error = errno) { throw std::invalid_argument("it cannot be read" + reason(error)); }

/// Repeats a system call that a signal interrupted.
auto uninterrupted(auto call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// Closes it, and says whether that went well.
class OpenFile {
 public:
  explicit OpenFile(int number) : number_(number) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile(OpenFile&&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile() { close(); }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool valid() const { return number_ >= 0; }
  /// Some file systems report failed writes only here. Not repeated after a signal: Linux has closed it then.
  bool close() {
    if (!valid()) return true;
    const int result = ::close(number_);
    number_ = -1;
    return result == 0 || errno == EINTR;
  }

 private:
  int number_;
};

/// A name beside FILE that goes away with its owner, if a rename has not taken it away before.
class TemporaryName {
 public:
  /// A number of its own for each name of this process. What a killed process of the same number left behind is in the
  /// way of one name only: create tries the next.
  explicit TemporaryName(const std::string& file) {
    static std::atomic<std::uint64_t> count = 0;
    name_ = file + ".tmp." + text(::getpid()) + "." + text(count++);
  }
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName(TemporaryName&&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;
  TemporaryName& operator=(TemporaryName&&) = delete;
  ~TemporaryName() {
    if (owned_) ::unlink(name_.c_str());
  }

  /// Whether create, which must not touch a file that exists, has made the file.
  bool own(auto create) { return owned_ = create(name_.c_str()) >= 0; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  bool owned_ = false;
};

constexpr int stale_names_at_most = 1000;

/// Makes a file under the first temporary name that is free. Returns 0 or the error, then without a temporary.
int create_beside(const std::string& file, std::optional<TemporaryName>& temporary, auto create) {
  int error = EEXIST;
  for (int attempt = 0; attempt < stale_names_at_most && error == EEXIST; ++attempt) {
    error = temporary.emplace(file).own(create) ? 0 : errno;
  }
  if (error != 0) temporary.reset();
  return error;
}

/// All of bytes, on the disk and not only in the system's memory.
void write_durably(OpenFile& descriptor, std::string_view bytes, const std::string& file) {
  while (!bytes.empty()) {
    const ssize_t count = uninterrupted([&] { return ::write(descriptor.number(), bytes.data(), bytes.size()); });
    if (count < 0) fail_to_write(file);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  if (uninterrupted([&] { return ::fsync(descriptor.number()); }) < 0) fail_to_write(file);
  if (!descriptor.close()) fail_to_write(file);
}

void write_beside(const std::string& file, std::optional<TemporaryName>& temporary, std::string_view bytes) {
  int number = -1;
  const int error = create_beside(file, temporary, [&number](const char* name) {
    number = uninterrupted([name] { return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
    return number;
  });
  if (error != 0) fail_to_write(file, error);
  OpenFile descriptor(number);
  write_durably(descriptor, bytes, file);
}

void rename_to(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail_to_write(to);
}

std::string previous(const std::string& file) { return file + ".prev"; }

/// Whether there is a file to keep. \throws if it is something that a checkpoint must not replace: a folder, a device.
bool replaces_a_file(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    if (errno == ENOENT) return false;
    fail_to_write(file);
  }
  if (S_ISDIR(status.st_mode)) fail_to_write(file, EISDIR);
  if (!S_ISREG(status.st_mode)) throw std::runtime_error(file + " cannot be written (it is not a regular file)");
  return true;
}

/// A second name for FILE, fresh -> FILE, second name -> FILE.prev. Killed between any two of these steps, FILE is
/// there and complete: the old one up to the second step, the new one from then on. Even a damaged FILE takes the place
/// of a good FILE.prev only when there is a new FILE. File systems without hard links get FILE -> FILE.prev, fresh ->
/// FILE: between the two there is only FILE.prev, complete.
void replace(const std::string& file, const std::string& fresh) {
  std::optional<TemporaryName> old;
  const int error = create_beside(file, old, [&file](const char* name) { return ::link(file.c_str(), name); });
  if (error != 0) rename_to(file, previous(file));
  rename_to(fresh, file);
  // Does nothing if both are names of one file already, which a power cut that undid only the second step leaves
  // behind: the old name goes away with its owner.
  if (old) rename_to(old->name(), previous(file));
}

/// Up to count bytes, fewer at the end of the file.
std::string read_bytes(const OpenFile& descriptor, std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t filled = 0;
  while (filled < count) {
    const ssize_t got =
        uninterrupted([&] { return ::read(descriptor.number(), bytes.data() + filled, count - filled); });
    if (got < 0) fail_to_read();
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

/// The whole file, if it can be a checkpoint: a file of any size is judged by its header and, block by block, by its
/// checksum before it is read into memory.
std::string read_checkpoint_bytes(const std::string& file) {
  // Without O_NONBLOCK opening a pipe would wait for somebody to write to it.
  const OpenFile descriptor(uninterrupted([&file] { return ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  if (!descriptor.valid()) fail_to_read();
  struct stat status {};
  if (::fstat(descriptor.number(), &status) != 0) fail_to_read();
  if (S_ISDIR(status.st_mode)) fail_to_read(EISDIR);
  if (!S_ISREG(status.st_mode)) throw std::invalid_argument("it is not a regular file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const std::string start = read_bytes(descriptor, std::min<std::uint64_t>(size, longest_checkpoint_header));
  CheckpointSum sum(start, size);
  constexpr std::size_t block = 1 << 20U;
  if (::lseek(descriptor.number(), 0, SEEK_SET) != 0) fail_to_read();
  for (std::string bytes = read_bytes(descriptor, block); !bytes.empty(); bytes = read_bytes(descriptor, block)) {
    sum.add(bytes);
  }
  sum.require_right();
  if (::lseek(descriptor.number(), 0, SEEK_SET) != 0) fail_to_read();
  return read_bytes(descriptor, static_cast<std::size_t>(size));
}

bool is_intact(const std::string& file) {
  try {
    unseal(read_checkpoint_bytes(file));
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace

void sync_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const OpenFile descriptor(
      uninterrupted([&folder] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!descriptor.valid()) fail_to_write(file.native());
  // EINVAL: a file system that has no such thing for folders.
  if (uninterrupted([&descriptor] { return ::fsync(descriptor.number()); }) < 0 && errno != EINVAL) {
    fail_to_write(file.native());
  }
}

// What a kill or a power cut leaves behind, step by step:
// - while the temporary file is written and synced: FILE and FILE.prev as before, and perhaps a stale temporary file,
//   which nobody reads and whose name nobody needs;
// - within replace: see there. The bytes that become FILE are on the disk before its name changes, and those of the old
//   FILE have been since it was saved, so whichever of the renames a power cut undoes, each name has a complete file;
// - after the folder is synced: the new FILE for good.
void save_checkpoint(const std::filesystem::path& file, std::string_view payload) {
  const std::string name = linked_file(file).string();
  const bool replaces = replaces_a_file(name);
  std::optional<TemporaryName> fresh;
  write_beside(name, fresh, seal(payload));
  if (replaces) {
    replace(name, fresh->name());
  } else {
    rename_to(fresh->name(), name);
  }
  sync_folder_of(name);
}

std::string load_checkpoint(const std::filesystem::path& file) {
  const std::string& name = file.native();
  try {
    return unseal(read_checkpoint_bytes(name));
  } catch (const std::invalid_argument& defect) {
    std::string message = name + ": " + defect.what();
    if (is_intact(previous(name))) message += "; the previous checkpoint " + previous(name) + " is intact";
    throw std::invalid_argument(message);
  }
}

bool looks_like_a_checkpoint(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) &&
         starts_like_a_checkpoint(first_bytes(file, checkpoint_magic.size()));
}

}  // namespace surefoot
