#include "experiments/practical_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace surefoot {
namespace {

using Json = nlohmann::ordered_json;

/// Which tasks a number is about.
struct Part {
  int budget = 0;
  const PracticalProblem* problem = nullptr;  // none: all

  [[nodiscard]] bool holds(const PracticalTask& task) const {
    return task.budget == budget && (problem == nullptr || task.problem == problem);
  }
};

std::vector<int> budgets_of(const std::vector<PracticalTask>& tasks) {
  std::set<int> budgets;
  for (const PracticalTask& task : tasks) budgets.insert(task.budget);
  return {budgets.begin(), budgets.end()};
}

std::vector<const PracticalProblem*> problems_of(const std::vector<PracticalTask>& tasks) {
  std::vector<const PracticalProblem*> problems;
  for (const PracticalTask& task : tasks) {
    if (std::find(problems.begin(), problems.end(), task.problem) == problems.end()) problems.push_back(task.problem);
  }
  return problems;
}

bool is_complete(const Part& part, const std::vector<PracticalTask>& tasks, const PracticalResults& results) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (part.holds(tasks[i]) && !results.best[i]) return false;
  }
  return true;
}

/// 1 for a success, 0 for a failure.
double success(const PracticalTask& task, double best, double tolerance) {
  return task.problem->regret(best) <= tolerance ? 1 : 0;
}

PracticalRow row_of(const Part& part, const std::vector<PracticalTask>& tasks, const PracticalResults& results) {
  PracticalRow row;
  row.method = results.method;
  row.budget = part.budget;
  if (part.problem != nullptr) row.problem = part.problem->name;
  for (std::size_t t = 0; t < practical_tolerances.size(); ++t) {
    BlockMeans means;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (part.holds(tasks[i])) {
        means.add(tasks[i].seed, success(tasks[i], *results.best[i], practical_tolerances.at(t).value));
      }
    }
    row.within.at(t) = means.estimate();
  }
  std::vector<double> regrets;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (part.holds(tasks[i])) regrets.push_back(tasks[i].problem->regret(*results.best[i]));
  }
  row.median_regret = quantile(regrets, 0.5);
  return row;
}

/// Successes of a minus those of b.
Estimate difference(const Part& part, double tolerance, const std::vector<PracticalTask>& tasks,
                    const PracticalResults& a, const PracticalResults& b) {
  BlockMeans means;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!part.holds(tasks[i])) continue;
    means.add(tasks[i].seed, success(tasks[i], *a.best[i], tolerance) - success(tasks[i], *b.best[i], tolerance));
  }
  return means.estimate();
}

PracticalVerdict verdict_of(const Part& part, std::size_t t, const std::vector<PracticalTask>& tasks,
                            const std::vector<const PracticalResults*>& runners) {
  const PracticalTolerance& tolerance = practical_tolerances.at(t);
  std::vector<Estimate> shares;
  shares.reserve(runners.size());
  for (const PracticalResults* r : runners) shares.push_back(row_of(part, tasks, *r).within.at(t));
  const auto best = std::max_element(shares.begin(), shares.end(),
                                     [](const Estimate& a, const Estimate& b) { return a.mean < b.mean; });
  const auto winner = static_cast<std::size_t>(best - shares.begin());
  std::vector<std::string> equal;
  for (std::size_t m = 0; m < runners.size(); ++m) {
    if (m == winner) continue;
    const Estimate ahead = difference(part, tolerance.value, tasks, *runners[winner], *runners[m]);
    if (ahead.mean <= 2 * ahead.standard_error.value_or(0)) {
      equal.push_back(fmt::format("{} ({})", runners[m]->method, percent_text(shares[m])));
    }
  }
  std::string sentence = fmt::format("Within {} at {} d: {} of the runs of {}", tolerance.text, part.budget,
                                     percent_text(*best), runners[winner]->method);
  if (best->mean == 0) {
    sentence = fmt::format("Within {} at {} d: no run of any method", tolerance.text, part.budget);
  } else if (equal.empty()) {
    sentence += runners.size() > 1 ? ", more than any other" : "";
  } else {
    sentence += fmt::format("; equal within two standard errors: {}", fmt::join(equal, ", "));
  }
  return {part.budget, sentence + "."};
}

Json error_of(const Estimate& e) { return e.standard_error ? Json(*e.standard_error) : Json(nullptr); }

}  // namespace

std::string percent_text(const Estimate& share) {
  if (!share.standard_error) return fmt::format("{:.1f} %", 100 * share.mean);
  return fmt::format("{:.1f} +- {:.1f} %", 100 * share.mean, 100 * *share.standard_error);
}

std::vector<PracticalRow> summarise(const std::vector<PracticalTask>& tasks,
                                    const std::vector<PracticalResults>& results) {
  std::vector<const PracticalProblem*> scopes = problems_of(tasks);
  scopes.insert(scopes.begin(), nullptr);
  std::vector<PracticalRow> rows;
  for (const PracticalProblem* problem : scopes) {
    for (const int budget : budgets_of(tasks)) {
      const Part part{budget, problem};
      for (const PracticalResults& r : results) {
        if (is_complete({budget, nullptr}, tasks, r)) rows.push_back(row_of(part, tasks, r));
      }
    }
  }
  return rows;
}

Json to_json(const std::vector<PracticalRow>& rows) {
  Json json = Json::array();
  for (const PracticalRow& r : rows) {
    json.push_back({{"method", r.method},
                    {"budget", r.budget},
                    {"problem", r.problem ? Json(*r.problem) : Json(nullptr)},
                    {"within_1_percent", r.within[0].mean},
                    {"within_1_percent_standard_error", error_of(r.within[0])},
                    {"within_1e-4", r.within[1].mean},
                    {"within_1e-4_standard_error", error_of(r.within[1])},
                    {"median_regret", r.median_regret}});
  }
  return json;
}

std::vector<PracticalVerdict> verdicts(const std::vector<PracticalTask>& tasks,
                                       const std::vector<PracticalResults>& results) {
  std::vector<PracticalVerdict> all;
  for (const int budget : budgets_of(tasks)) {
    const Part part{budget, nullptr};
    std::vector<const PracticalResults*> runners;
    for (const PracticalResults& r : results) {
      if (is_complete(part, tasks, r)) runners.push_back(&r);
    }
    for (std::size_t t = 0; t < practical_tolerances.size(); ++t) all.push_back(verdict_of(part, t, tasks, runners));
  }
  return all;
}

}  // namespace surefoot
