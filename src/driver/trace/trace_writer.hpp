#pragma once

#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "driver/trace/utilisation.hpp"
#include "surefoot/record.hpp"

namespace surefoot {

/// \throws std::invalid_argument if there is a file of this name that is no trace.
void require_trace(const std::string& path);

/// Writes records as JSON lines, one a generation.
class TraceWriter {
 public:
  /// \throws std::invalid_argument if the file cannot be written, or exists and is no trace. Devices and pipes are
  /// written to.
  explicit TraceWriter(const std::string& path);

  /// Goes on with a trace: what was written after `generation` is dropped.
  TraceWriter(const std::string& path, std::int64_t generation);

  /// In the line of a generation: from here on another program was asked.
  void add_replacement(std::int64_t generation, const std::string& objective) { replacements_[generation] = objective; }

  /// Whether every line is handed to the system at once, so that a killed process has written it.
  void flush_lines(bool flush) { flushes_ = flush; }

  /// Adds `seconds` since the line before and the `utilisation` of the workers meanwhile. Without it a trace holds
  /// nothing that differs from run to run.
  void add_timing(std::function<Usage()> usage);

  /// `params` is a JSON object with the best values by name; empty: there are no names.
  void operator()(const Record& record, const std::string& params = {});

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

  std::string path_;
  std::string trouble_;
  std::map<std::int64_t, std::string> replacements_;
  bool flushes_ = false;
  std::optional<UtilisationMeter> meter_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace surefoot
