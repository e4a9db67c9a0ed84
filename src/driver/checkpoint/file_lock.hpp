#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace surefoot {

/// Who uses a checkpoint now, as "process 17 on host"; empty if nobody does. It only asks: nothing is locked or
/// changed. A lock of this process itself is not seen.
std::string user_of_checkpoint(const std::filesystem::path& checkpoint);

/// Keeps a checkpoint for one search: FILE.lock is locked as long as this object lives, and says who holds it. The
/// system frees the lock when the process ends, however it ends, so that what a killed process leaves behind is in
/// nobody's way. The lock is of the kind that NFS passes on to its server (fcntl); where a file system knows no locks
/// the search continues without one.
class FileLock {
 public:
  /// \throws std::invalid_argument saying which process on which machine has the checkpoint, or that FILE.lock is a
  /// file of somebody else.
  explicit FileLock(const std::filesystem::path& checkpoint);
  FileLock(const FileLock&) = delete;
  FileLock(FileLock&&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  FileLock& operator=(FileLock&&) = delete;
  /// Removes FILE.lock.
  ~FileLock();

 private:
  void acquire();

  std::filesystem::path checkpoint_;
  std::string path_;
  pid_t owner_;
  int descriptor_ = -1;
};

}  // namespace surefoot
