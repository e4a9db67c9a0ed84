#include "driver/line_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/atomic_file.hpp"
#include "driver/output_file.hpp"

namespace surefoot {

LineFile::LineFile(std::string option, std::string path, const char* mode)
    : option_(std::move(option)), path_(std::move(path)), file_(std::fopen(path_.c_str(), mode)) {
  if (!file_) reject(option_, path_, std::string("the file cannot be written (") + std::strerror(errno) + ")");
}

void LineFile::append(const std::string& lines, bool flushes) {
  if (!trouble_.empty()) return;
  if (std::fwrite(lines.data(), 1, lines.size(), file_.get()) != lines.size()) return note_trouble();
  if (flushes && std::fflush(file_.get()) != 0) note_trouble();
}

/// Another descriptor, because this file may be one that is appended to.
void LineFile::replace_tail(long bytes, const std::string& text) {
  if (!trouble_.empty() || is_special(path_)) return;
  if (std::fflush(file_.get()) != 0) return note_trouble();
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path_.c_str(), "r+e"));
  if (!file || std::fseek(file.get(), -bytes, SEEK_END) != 0) return note_trouble();
  if (std::setvbuf(file.get(), nullptr, _IONBF, 0) != 0) return note_trouble();
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) note_trouble();
}

void LineFile::note_trouble() {
  if (trouble_.empty()) trouble_ = option_ + " " + path_ + " cannot be written (" + std::strerror(errno) + ")";
}

void LineFile::sync() {
  if (!trouble_.empty()) return;
  if (std::fflush(file_.get()) != 0) return note_trouble();
  // EINVAL and such: a device or a pipe.
  if (::fsync(::fileno(file_.get())) != 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT)) note_trouble();
}

void LineFile::close() {
  if (std::fclose(file_.release()) != 0) note_trouble();
}

void begin_with(const char* option, const std::string& path, const std::string& text) {
  if (is_special(path)) return;
  try {
    write_atomically(path, text, Durability::synced);
  } catch (const OutputError& error) {  // at the start, when nothing is lost yet
    throw std::invalid_argument(std::string(option) + ": " + error.what());
  }
}

}  // namespace surefoot
