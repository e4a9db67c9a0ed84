#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "surefoot/record.hpp"

namespace surefoot::cli {

/// Writes records as JSON lines, one a generation.
class TraceWriter {
 public:
  /// \throws std::invalid_argument if the file cannot be written.
  explicit TraceWriter(const std::string& path);

  void operator()(const Record& record);

  /// \throws std::runtime_error if something could not be written.
  void close();

 private:
  struct Close {  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): this is the owner
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace surefoot::cli
