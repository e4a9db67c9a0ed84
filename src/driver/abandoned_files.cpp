#include "driver/abandoned_files.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/split.hpp"
#include "driver/output_file.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;

/// The number that a whole word spells; -1 if it is not a number.
long number_of_word(std::string_view word) {
  long number = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size() && number >= 0 ? number : -1;
}

/// The process that made a temporary file, by what follows the name of the file; -1 for other files.
long maker_of(const std::string& ending) {
  const std::vector<std::string> parts = split(ending, '.');
  if (parts.size() != 3) return -1;
  if (parts[2] == "tmp" && number_of_word(parts[1]) >= 0) return number_of_word(parts[0]);
  if (parts[0] == "tmp" && number_of_word(parts[2]) >= 0) return number_of_word(parts[1]);
  return -1;
}

bool is_alive(long process) {
  if (process == static_cast<long>(::getpid())) return false;  // an earlier process of this number
  return ::kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH;
}

}  // namespace

void remove_abandoned(const fs::path& file) {
  const fs::path target = linked_file(file);
  const std::string begin = target.filename().string() + ".";
  std::error_code error;
  std::vector<fs::path> abandoned;
  for (fs::directory_iterator entry(target.parent_path().empty() ? "." : target.parent_path(), error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(begin)) continue;
    const long maker = maker_of(name.substr(begin.size()));
    if (maker > 0 && !is_alive(maker)) abandoned.push_back(entry->path());
  }
  for (const fs::path& path : abandoned) fs::remove(path, error);
}

}  // namespace surefoot
