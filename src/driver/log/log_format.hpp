#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/optimizer.hpp"
#include "surefoot/space.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// One finished evaluation, as an evaluation log tells it.
struct LogRow {
  std::int64_t id = 0;  // 1, 2, ... in the order in which evaluations ended
  Place place;
  std::string status;                                         // ok, infeasible, or the kind of the failure
  double f = 0;                                               // NaN: there is none
  std::vector<double> constraints;                            // values of constraints
  double seconds = std::numeric_limits<double>::quiet_NaN();  // NaN: not known
  int worker = -1;                                            // 0, 1, ...; -1: not known
  Vector x;
  std::string reason;  // of a failure
};

/// The lines of an evaluation log: comma-separated values with a header or, for a file that ends in .jsonl, JSON lines.
/// docs/reference/evaluation-log.md describes both.
class LogFormat {
 public:
  LogFormat(const std::string& path, Space space, Index dimension);

  /// What every such file begins with.
  [[nodiscard]] std::string beginning() const;
  /// The line of names with its newline; empty for JSON lines.
  [[nodiscard]] std::string header() const;
  /// A row with its newline.
  [[nodiscard]] std::string line(const LogRow& row) const;

  /// What a line of such a file begins with: number and place of its evaluation.
  struct Head {
    std::int64_t id = 0;
    Place place;
  };
  /// Nothing for a line that was cut off, or that nobody here has written.
  [[nodiscard]] std::optional<Head> head_of(std::string_view line) const;

  /// Whether a line, without its newline, says the same as the row, apart from the number, the time and the worker.
  [[nodiscard]] bool says(std::string_view line, LogRow row) const;

 private:
  struct Parts {
    std::string before;  // everything up to the seconds
    std::string timing;
    std::string after;
  };
  [[nodiscard]] Parts parts(const LogRow& row) const;
  [[nodiscard]] Parts json_parts(const LogRow& row) const;
  [[nodiscard]] Parts csv_parts(const LogRow& row) const;

  bool is_json_;
  Space space_;
  Index dimension_;
};

/// \throws std::invalid_argument unless the file's name ends in .csv or .jsonl.
void require_log_name(const std::string& path);

}  // namespace surefoot
