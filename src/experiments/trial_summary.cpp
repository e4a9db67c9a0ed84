#include "experiments/trial_summary.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/paper.hpp"

namespace surefoot {
namespace {

std::optional<double> ratio(const std::optional<double>& ours, const std::optional<double>& theirs) {
  if (!ours || !theirs || *theirs == 0) return std::nullopt;
  return *ours / *theirs;
}

CellSummary figure4_row(const Cell& cell, const std::vector<TrialOutcome>& outcomes) {
  CellSummary row;
  row.figure = 4;
  row.cell = cell;
  row.success_rate = success_rate(outcomes);
  row.evaluations_per_success = evaluations_per_success(outcomes);
  row.interval = bootstrap_interval(outcomes);
  row.repeat = repeat_interval(outcomes);
  row.paper = paper::evaluations_per_success(cell.function, cell.popsize, cell.method);
  row.ratio = ratio(row.evaluations_per_success, row.paper);
  row.reproducible = paper::reproducible(cell.function, cell.popsize, cell.method);
  return row;
}

CellSummary figure5_row(CellSummary row, const std::vector<TrialOutcome>& outcomes) {
  row.figure = 5;
  row.interval = wilson_interval(outcomes);
  row.repeat = repeat_rate_interval(outcomes);
  row.paper = paper::success_rate(row.cell.function, row.cell.popsize, row.cell.method);
  row.ratio = ratio(row.success_rate, row.paper);
  return row;
}

std::optional<double> low(const std::optional<Interval>& interval) {
  return interval ? std::optional(interval->low) : std::nullopt;
}

std::optional<double> high(const std::optional<Interval>& interval) {
  return interval ? std::optional(interval->high) : std::nullopt;
}

nlohmann::ordered_json number(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return nullptr;
  return *value;
}

}  // namespace

bool CellSummary::covers_paper(const std::optional<Interval>& of) const {
  return of && paper && of->low <= *paper && *paper <= of->high;
}

std::vector<CellSummary> summarise(const Protocol& protocol, const TrialFile& trials) {
  std::vector<CellSummary> rows4;
  std::vector<CellSummary> rows5;
  for (std::size_t i = 0; i < protocol.cells.size(); ++i) {
    const std::vector<TrialOutcome> outcomes = trials.outcomes(i);
    if (outcomes.empty()) continue;
    const CellSummary row = figure4_row(protocol.cells[i], outcomes);
    if (protocol.figures.contains(4)) rows4.push_back(row);
    const Cell& cell = row.cell;
    if (protocol.figures.contains(5) && paper::success_rate(cell.function, cell.popsize, cell.method)) {
      rows5.push_back(figure5_row(row, outcomes));
    }
  }
  rows4.insert(rows4.end(), rows5.begin(), rows5.end());
  return rows4;
}

nlohmann::ordered_json to_json(const std::vector<CellSummary>& summary) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const CellSummary& row : summary) {
    json.push_back({{"figure", row.figure},
                    {"function", row.cell.function},
                    {"popsize", row.cell.popsize},
                    {"method", row.cell.method},
                    {"trials", row.cell.trials},
                    {"success_rate", row.success_rate},
                    {"evaluations_per_success", number(row.evaluations_per_success)},
                    {"ci_low", number(low(row.interval))},
                    {"ci_high", number(high(row.interval))},
                    {"repeat_low", number(low(row.repeat))},
                    {"repeat_high", number(high(row.repeat))},
                    {"paper", number(row.paper)},
                    {"ratio", number(row.ratio)},
                    {"reproducible", row.reproducible}});
  }
  return json;
}

}  // namespace surefoot
