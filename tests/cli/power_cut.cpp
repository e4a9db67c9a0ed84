// A disk that forgets what was not synced, for tests: preloaded, it keeps in the folder $POWER_CUT_DISK what would be
// there after a power cut of the folder $POWER_CUT_FOLDER. A file's bytes reach it by fsync or fdatasync of the file, a
// name by fsync of the folder. Files: INODE has the bytes, `names` has a line "INODE NAME" for each name.

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

namespace {

/// What the environment said at the start; empty: nothing is watched.
std::string folder_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

const std::string& watched() {
  static const std::string folder = folder_of("POWER_CUT_FOLDER");
  return folder;
}

std::string disk(const std::string& name) {
  static const std::string folder = folder_of("POWER_CUT_DISK");
  return folder + "/" + name;
}

void install(const std::string& name) { std::rename(disk(name + ".new").c_str(), disk(name).c_str()); }

void keep_bytes(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  const std::string inode = std::to_string(status.st_ino);
  {
    std::ifstream in(path, std::ios::binary);
    std::ofstream out(disk(inode + ".new"), std::ios::binary);
    if (status.st_size > 0) out << in.rdbuf();
  }
  install(inode);
}

void keep_names(bool with_bytes) {
  std::vector<std::string> inodes;
  {
    std::ofstream names(disk("names.new"));
    DIR* const folder = opendir(watched().c_str());
    if (folder == nullptr) return;
    while (const dirent* entry = readdir(folder)) {
      const std::string path = watched() + "/" + entry->d_name;
      struct stat status {};
      if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
      if (with_bytes) keep_bytes(path);
      inodes.push_back(std::to_string(status.st_ino));
      names << inodes.back() << ' ' << entry->d_name << '\n';
    }
    closedir(folder);
  }
  install("names");
  // The number of a file that is gone may become another one's.
  DIR* const kept = opendir(disk("").c_str());
  while (const dirent* entry = kept == nullptr ? nullptr : readdir(kept)) {
    const std::string name = entry->d_name;
    const bool is_number = name.find_first_not_of("0123456789") == std::string::npos;
    if (is_number && std::find(inodes.begin(), inodes.end(), name) == inodes.end()) std::remove(disk(name).c_str());
  }
  if (kept != nullptr) closedir(kept);
}

/// What is synced is kept, one at a time.
void keep(int descriptor) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::array<char, PATH_MAX> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  if (watched().empty() || readlink(link.c_str(), path.data(), path.size() - 1) < 0) return;
  const std::string& folder = watched();
  const std::string name = path.data();
  if (name == folder) return keep_names(false);
  if (name.compare(0, folder.size() + 1, folder + "/") == 0) keep_bytes(name);
}

int synced(const char* function, int descriptor) {
  using Sync = int (*)(int);
  const auto real = reinterpret_cast<Sync>(dlsym(RTLD_NEXT, function));
  const int result = real(descriptor);
  if (result == 0) keep(descriptor);
  return result;
}

/// What is there at the start is on the disk. The programs that this one starts are not watched.
struct Begin {
  Begin() {
    if (!watched().empty()) keep_names(true);
    unsetenv("LD_PRELOAD");
    unsetenv("POWER_CUT_FOLDER");
  }
} begin;

}  // namespace

extern "C" int fsync(int descriptor) { return synced("fsync", descriptor); }
extern "C" int fdatasync(int descriptor) { return synced("fdatasync", descriptor); }
