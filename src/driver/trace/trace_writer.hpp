#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "driver/line_file.hpp"
#include "driver/trace/json_line.hpp"
#include "driver/trace/utilisation.hpp"
#include "surefoot/record.hpp"

namespace surefoot {

/// \throws std::invalid_argument if there is a file of this name that is not a trace.
void require_trace(const std::string& path);

/// What a trace must have before a search is resumed.
struct TraceBefore {
  std::string about;           // what the first line tells of the search, without objective and command
  std::int64_t last = 0;       // generation after which the search continues
  std::int64_t nfev = 0;       // evaluations that it has told
  double best = 0;             // value that it has found; NaN: not to be compared
  bool is_before_next = true;  // both are those before the next generation has ended
};

/// Writes records as JSON lines, one per generation. Every line is handed to the system at once: a killed process has
/// written it, and whoever watches sees it.
class TraceWriter {
 public:
  /// \throws std::invalid_argument if the file cannot be written, or exists and is not a trace. Devices and pipes are
  /// written to.
  explicit TraceWriter(const std::string& path);

  /// Goes on with a trace: what was written after its last generation is dropped.
  /// \throws std::invalid_argument also if it belongs to another search.
  TraceWriter(const std::string& path, const TraceBefore& before);

  /// In the line of a generation: from here on another program was asked.
  void add_replacement(std::int64_t generation, const std::string& objective) { replacements_[generation] = objective; }

  /// What the first line of the file tells about the search, as JSON; before that line.
  void set_about(std::string json) { about_ = std::move(json); }

  /// How the search ended, as JSON: the last member of the last line. A pipe or a device, whose last line is gone, does
  /// not get it.
  void add_end(const std::string& json);

  /// Adds `seconds` since the line before and the `utilisation` of the workers meanwhile. Without it a trace holds
  /// nothing that differs from run to run.
  void add_timing(std::function<Usage()> usage);

  /// `more` are further members of the line, as JSON.
  void operator()(const Record& record, const JsonLine& more = {});

  /// Which generations the file lacks although it was continued; empty if it lacks none.
  [[nodiscard]] const std::string& gap() const { return gap_; }

  void sync() { file_->sync(); }
  void close() { file_->close(); }

  /// Why something could not be written; empty if everything could. After the first such line there are no more.
  [[nodiscard]] const std::string& trouble() const { return file_->trouble(); }

 private:
  std::string about_;
  std::string gap_;
  bool is_empty_ = true;  // no line was written yet, and none was there
  std::map<std::int64_t, std::string> replacements_;
  std::optional<UtilisationMeter> meter_;
  std::optional<LineFile> file_;
};

}  // namespace surefoot
