#include "driver/checkpoint/file_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/bytes.hpp"
#include "driver/output_file.hpp"

namespace surefoot {
namespace {

constexpr const char* lock_beginning = "surefoot: in use by ";

/// The lock files that this process holds: locks of the kind that NFS knows do not keep a process from itself. A child
/// that was forked has the list, but not the locks; so it says whose they are.
class HeldLocks {
 public:
  bool add(const std::string& path) {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = holders_.try_emplace(path, ::getpid());
    const bool is_free = is_new || place->second != ::getpid();
    if (is_free) place->second = ::getpid();
    return is_free;
  }
  void remove(const std::string& path) {
    const std::lock_guard lock(mutex_);
    holders_.erase(path);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, pid_t> holders_;
};

HeldLocks& held_locks() {
  static HeldLocks locks;
  return locks;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "an unknown host";
}

std::string this_process() { return "process " + text(::getpid()) + " on " + host_name(); }

[[noreturn]] void refuse(const std::filesystem::path& checkpoint, const std::string& holder) {
  reject("checkpoint", checkpoint.string(), holder + " is using it; wait for its end or choose another file");
}

struct flock whole_file(short kind) {
  struct flock lock {};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  return lock;
}

bool knows_no_locks(int error) { return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == EINVAL; }

/// Whether the descriptor is still what the name leads to: a holder that ends removes the file.
bool is_file(int descriptor, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

std::string holder_in(const std::string& path) {
  std::string line = first_bytes(path, 400);
  line.erase(std::min(line.find('\n'), line.size()));
  return line.starts_with(lock_beginning) ? shown(line.substr(std::strlen(lock_beginning))) : "another process";
}

void write_holder(int descriptor) {
  const std::string line = lock_beginning + this_process() + "\n";
  // Who holds it is only told: the lock holds on a full disk too.
  if (::ftruncate(descriptor, 0) == 0) static_cast<void>(::pwrite(descriptor, line.data(), line.size(), 0) == 0);
}

}  // namespace

std::string user_of_checkpoint(const std::filesystem::path& checkpoint) {
  const std::string path = linked_file(checkpoint).string() + ".lock";
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  struct flock lock = whole_file(F_WRLCK);
  const bool is_locked = ::fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  ::close(descriptor);
  return is_locked ? holder_in(path) : "";
}

FileLock::FileLock(const std::filesystem::path& checkpoint) : checkpoint_(checkpoint), owner_(::getpid()) {
  const std::filesystem::path file = std::filesystem::absolute(linked_file(checkpoint)).lexically_normal();
  path_ = file.string() + ".lock";
  // Before the file is opened: closing it once would free the lock that this process has.
  if (!held_locks().add(path_)) refuse(checkpoint_, this_process() + " (this one)");
  try {
    require_ours("checkpoint: its lock", path_, lock_beginning, "a lock of this program");
    acquire();
  } catch (...) {
    held_locks().remove(path_);
    throw;
  }
  write_holder(descriptor_);
}

void FileLock::acquire() {
  while (true) {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno == EINTR) continue;
    if (descriptor_ < 0) {
      reject("checkpoint", checkpoint_.string(), path_ + " cannot be written (" + std::strerror(errno) + ")");
    }
    struct flock lock = whole_file(F_WRLCK);
    const bool is_locked = ::fcntl(descriptor_, F_SETLK, &lock) == 0 || knows_no_locks(errno);
    if (is_locked && is_file(descriptor_, path_)) return;
    ::close(std::exchange(descriptor_, -1));
    if (!is_locked) refuse(checkpoint_, holder_in(path_));
    // Otherwise the holder before has just removed it.
  }
}

FileLock::~FileLock() {
  const bool is_ours = owner_ == ::getpid();  // and not a copy in a forked child
  if (is_ours && is_file(descriptor_, path_)) ::unlink(path_.c_str());
  ::close(descriptor_);
  if (is_ours) held_locks().remove(path_);
}

}  // namespace surefoot
