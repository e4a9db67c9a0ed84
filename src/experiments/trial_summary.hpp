#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/trials.hpp"

namespace surefoot {

/// One object of summary.json: a cell beside the paper's number. In figure 4 the interval, `paper` and `ratio` are
/// those of the evaluations per success, in figure 5 those of the success rate.
struct CellSummary {
  int figure = 4;
  Cell cell;
  double success_rate = 0;
  std::optional<double> evaluations_per_success;
  std::optional<Interval> interval;  // of our estimate, 95 %
  std::optional<Interval> repeat;    // of a second experiment's estimate, 95 %
  std::optional<double> paper;
  std::optional<double> ratio;
  bool reproducible = true;  // False: the authors' own program does not give the paper's number either.

  /// Whether an interval of this row holds the paper's number.
  [[nodiscard]] bool covers_paper(const std::optional<Interval>& of) const;
};

std::vector<CellSummary> summarise(const Protocol& protocol, const TrialFile& trials);

nlohmann::ordered_json to_json(const std::vector<CellSummary>& summary);

}  // namespace surefoot
