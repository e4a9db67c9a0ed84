#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace surefoot {

/// A file that grows line by line: a trace or an evaluation log. A full disk ends it and not the search.
class LineFile {
 public:
  /// `mode` is that of fopen. \throws std::invalid_argument naming `option` and the file if it cannot be opened.
  LineFile(std::string option, std::string path, const char* mode);

  /// Appends text, which ends in a newline. `flushes`: hands it to the system at once, so that a killed process has
  /// written it.
  void append(const std::string& lines, bool flushes);

  /// Writes text over the last bytes: one write, so that a kill leaves the line unchanged or complete. Devices and
  /// pipes are left alone.
  void replace_tail(long bytes, const std::string& text);

  /// On the disk, and not only in the system's memory.
  void sync();
  void close();

  /// Why something could not be written; empty if everything could. After the first such line there are no more.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  struct Close {  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): this is the owner
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };
  void note_trouble();

  std::string option_;
  std::string path_;
  std::string trouble_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// Replaces a regular file by this text, at the start of a search: \throws std::invalid_argument if it cannot be
/// written. Devices and pipes are left alone.
void begin_with(const char* option, const std::string& path, const std::string& text);

}  // namespace surefoot
