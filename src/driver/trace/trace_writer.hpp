#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "driver/trace/utilisation.hpp"
#include "surefoot/record.hpp"

namespace surefoot {

/// Writes records as JSON lines, one a generation.
class TraceWriter {
 public:
  /// \throws std::invalid_argument if the file cannot be written.
  explicit TraceWriter(const std::string& path);

  /// Goes on with a trace: what was written after `generation` is dropped.
  TraceWriter(const std::string& path, std::int64_t generation);

  /// Whether every line is handed to the system at once, so that a killed process has written it.
  void flush_lines(bool flush) { flushes_ = flush; }

  /// Adds `seconds` since the line before and the `utilisation` of the workers meanwhile. Without it a trace holds
  /// nothing that differs from run to run.
  void add_timing(std::function<Usage()> usage);

  /// `params` is a JSON object with the best values by name; empty: there are no names.
  void operator()(const Record& record, const std::string& params = {});

  /// \throws std::runtime_error if something could not be written.
  void close();

 private:
  struct Close {  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): this is the owner
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };
  std::string path_;
  bool flushes_ = false;
  std::optional<UtilisationMeter> meter_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace surefoot
