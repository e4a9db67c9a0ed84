#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "driver/line_file.hpp"
#include "driver/log/log_format.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {

/// One row for each evaluation, written as it ends. The rows are those of the search: a resumed search keeps the
/// rows of what it knows and drops the others, whose evaluations it repeats.
///
/// A row is written before the journal's entry. So a kill leaves at most rows that the journal does not have, never an
/// evaluation without its row; after a power cut a row may be missing, and comes back without its time.
class EvaluationLog {
 public:
  /// \throws std::invalid_argument if there is a file of this name that is not such a log, or if its name says nothing
  /// about its format.
  static void require(const std::string& path);

  /// Reads what there is. `search` is restored from its checkpoint, and must outlive this object.
  EvaluationLog(std::string path, const Optimizer& search);

  /// The journal knows this evaluation: its row stays or is written again. Before `begin`.
  void repeat(Index candidate);

  /// Writes the rows that are kept. From now on rows are appended.
  /// \throws std::invalid_argument if the file cannot be written.
  void begin();

  /// A candidate of the present generation has an outcome.
  void note(Index candidate);
  /// The rows of values of the present generation that the caller brings, perhaps of other points; for `add`, once the
  /// search has taken them.
  [[nodiscard]] std::vector<LogRow> told_rows(const Matrix& points, const std::vector<Outcome>& outcomes) const;
  void add(std::vector<LogRow> rows);

  void sync() { file_->sync(); }
  void close() { file_->close(); }

  /// Why something could not be written; empty if everything could. After the first such row there are no more.
  [[nodiscard]] const std::string& trouble() const { return file_->trouble(); }

 private:
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // generation, candidate, attempt

  void read();
  void keep(const std::string& line, std::int64_t id);
  void write(LogRow row);
  [[nodiscard]] LogRow row_of(Index candidate) const;

  std::string path_;
  const Optimizer& search_;
  LogFormat format_;
  std::string kept_;                  // the file as it is to begin
  std::map<Key, std::string> found_;  // rows of evaluations that the search does not know yet
  std::int64_t last_id_ = 0;
  std::optional<LineFile> file_;  // once it has begun
};

}  // namespace surefoot
