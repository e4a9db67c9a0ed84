#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace surefoot {

/// One evaluation of a log: where, and what came out.
struct Evaluated {
  std::vector<double> x;  // NaN for what is not a number, such as the name of a choice
  double f = 0;           // NaN for a failure
  std::string status;     // ok, infeasible, or how it failed
  std::string reason;
  std::vector<double> constraints = {};
  std::map<std::size_t, std::string> choices = {};  // names, by coordinate
  [[nodiscard]] bool has_failed() const { return status != "ok" && status != "infeasible"; }
};

/// A log that 'surefoot minimize --log' wrote (docs/reference/evaluation-log.md).
struct ReadLog {
  std::vector<std::string> names;  // of the parameters
  std::vector<Evaluated> rows;
};

/// Reads comma-separated values or JSON lines, whatever the text is; `name` is for messages. A last line without its
/// end is left out. \throws std::invalid_argument naming the first line that is not of a log.
[[nodiscard]] ReadLog read_log(const std::string& text, const std::string& name);

/// Where evaluations fail: the half-space of one parameter that separates failures from the rest best, by Gini's
/// impurity. In it more than half fail, and outside of it less than half as many as in all.
struct FailingRegion {
  std::size_t parameter = 0;
  bool is_above = false;  // x > limit, or x < limit
  double limit = 0;
  std::size_t failed_inside = 0;
  std::size_t inside = 0;
  std::size_t failed_outside = 0;
  std::size_t outside = 0;
};
[[nodiscard]] std::optional<FailingRegion> failing_region(const ReadLog& log);

/// The region as a sentence; empty if there is none.
[[nodiscard]] std::string describe(const std::optional<FailingRegion>& region, const ReadLog& log);

/// Which of the constraints, the last ones, are equalities, and when those are met. Inequalities are met at 0 and
/// below.
struct ConstraintKinds {
  std::size_t equalities = 0;
  double tolerance = 0;
};

/// The sum of what constraints are violated by; 0 for a point that meets all of them.
[[nodiscard]] double violation_of(const Evaluated& row, const ConstraintKinds& kinds);

/// For the page: at most some thousands of points, the failures among them.
[[nodiscard]] nlohmann::ordered_json points_of(const ReadLog& log, const ConstraintKinds& kinds = {});

}  // namespace surefoot
