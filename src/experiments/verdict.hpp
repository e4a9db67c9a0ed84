#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/trial_summary.hpp"
#include "experiments/typical_run.hpp"

namespace surefoot {

/// An answer to one of the paper's research questions, computed from the data.
struct Verdict {
  std::string question;       // "RQ1"
  std::string claim;          // of the paper
  std::string answer;         // with our numbers
  std::optional<bool> holds;  // empty: not measured
};

using Courses = std::map<std::string, Course>;  // by TypicalRun::name

/// RQ1 to RQ3 and the agreement with the published numbers.
std::vector<Verdict> verdicts(const std::vector<CellSummary>& summary, const Courses& courses);

nlohmann::ordered_json to_json(const std::vector<Verdict>& verdicts);

}  // namespace surefoot
