#include "experiments/bbob_summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/elementary/elementary.hpp"

namespace surefoot {
namespace {

using Json = nlohmann::ordered_json;

const std::string& group_of(int function) { return bbob_table()[static_cast<std::size_t>(function - 1)].group; }

/// The distinct dimensions, groups and functions of tasks, in the order of the suite.
struct Parts {
  std::set<Index> dimensions;
  std::vector<std::string> groups;
  std::set<int> functions;

  explicit Parts(const std::vector<BbobTask>& tasks) {
    for (const BbobTask& task : tasks) {
      dimensions.insert(task.dimension);
      functions.insert(task.function);
    }
    for (const int function : functions) {
      if (groups.empty() || groups.back() != group_of(function)) groups.push_back(group_of(function));
    }
  }
};

std::vector<BbobScope> all_scopes(const std::vector<BbobTask>& tasks) {
  const Parts parts(tasks);
  std::vector<std::optional<Index>> dimensions = {std::nullopt};
  dimensions.insert(dimensions.end(), parts.dimensions.begin(), parts.dimensions.end());
  std::vector<BbobScope> scopes;
  for (const auto& dimension : dimensions) {
    scopes.push_back({.dimension = dimension});
    for (const std::string& group : parts.groups) scopes.push_back({.dimension = dimension, .group = group});
    for (const int function : parts.functions) {
      scopes.push_back({.dimension = dimension, .group = group_of(function), .function = function});
    }
  }
  return scopes;
}

using Scores = std::vector<BbobScore>;

BbobRow row_of(const BbobScope& scope, const std::vector<BbobTask>& tasks, const Scores& scores) {
  BlockMeans area;  // a block is an instance
  BlockMeans share;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!scope.holds(tasks[i])) continue;
    area.add(tasks[i].instance, scores[i].area);
    share.add(tasks[i].instance, scores[i].share);
  }
  return {scope, {}, {}, area.estimate(), share.estimate(), {}};
}

Scores difference(const Scores& a, const Scores& b) {
  Scores result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back({a[i].area - b[i].area, a[i].share - b[i].share});
  return result;
}

/// What one method has, or its lead over another, at the budget of the runs and at smaller ones.
struct ScoresWithin {
  std::vector<double> budgets;  // the first is that of the runs
  std::vector<Scores> scores;   // one list a budget
};

ScoresWithin scores_of(const BbobResults& results, const std::vector<BbobTask>& tasks, double budget) {
  ScoresWithin within{.budgets = {budget}, .scores = {}};
  for (const double smaller : smaller_budgets(budget)) within.budgets.push_back(smaller);
  for (const double b : within.budgets) {
    Scores& list = within.scores.emplace_back();
    for (std::size_t i = 0; i < tasks.size(); ++i) list.push_back(score(results.outcomes[i], tasks[i].dimension, b));
  }
  return within;
}

ScoresWithin difference(ScoresWithin a, const ScoresWithin& b) {
  for (std::size_t k = 0; k < a.scores.size(); ++k) a.scores[k] = difference(a.scores[k], b.scores[k]);
  return a;
}

BbobRow row_of(const BbobScope& scope, const std::vector<BbobTask>& tasks, const ScoresWithin& within) {
  BbobRow row = row_of(scope, tasks, within.scores[0]);
  for (std::size_t k = 1; k < within.scores.size(); ++k) {
    row.smaller.push_back({within.budgets[k], row_of(scope, tasks, within.scores[k]).area});
  }
  return row;
}

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

BbobScore score(const BbobOutcome& outcome, Index dimension, double budget) {
  BbobScore result;
  for (const std::int64_t hit : outcome.hits) {
    if (hit == 0 || static_cast<double>(hit) > budget * static_cast<double>(dimension)) continue;
    const double reach =
        elementary::log10(static_cast<double>(hit) / static_cast<double>(dimension)) / elementary::log10(budget);
    result.area += std::clamp(1 - reach, 0.0, 1.0) / bbob_targets;
    result.share += 1.0 / bbob_targets;
  }
  return result;
}

std::vector<double> smaller_budgets(double budget) {
  std::vector<double> all = {20, 100, 500};
  std::erase_if(all, [budget](double b) { return b >= budget; });
  return all;
}

BbobResults virtual_best(const std::vector<BbobResults>& results) {
  BbobResults best = results.front();
  best.method = virtual_best_name;
  for (const BbobResults& r : results) {
    for (std::size_t i = 0; i < best.outcomes.size(); ++i) {
      for (std::size_t k = 0; k < bbob_targets; ++k) {
        std::int64_t& hit = best.outcomes[i].hits.at(k);
        const std::int64_t other = r.outcomes[i].hits.at(k);
        if (other > 0 && (hit == 0 || other < hit)) hit = other;
      }
    }
  }
  return best;
}

bool BbobScope::holds(const BbobTask& task) const {
  return (!dimension || *dimension == task.dimension) && (!group || *group == group_of(task.function)) &&
         (!function || *function == task.function);
}

std::vector<BbobRow> summarise(const std::vector<BbobTask>& tasks, const std::vector<BbobResults>& results,
                               double budget) {
  std::vector<ScoresWithin> scores;
  scores.reserve(results.size());
  for (const BbobResults& r : results) scores.push_back(scores_of(r, tasks, budget));
  const ScoresWithin best = scores_of(virtual_best(results), tasks, budget);
  std::vector<BbobRow> rows;
  for (const BbobScope& scope : all_scopes(tasks)) {
    for (std::size_t a = 0; a < results.size(); ++a) {
      rows.push_back(row_of(scope, tasks, scores[a]));
      rows.back().method = results[a].method;
    }
    if (results.size() > 1) {
      rows.push_back(row_of(scope, tasks, best));
      rows.back().method = virtual_best_name;
    }
    for (std::size_t a = 0; a < results.size(); ++a) {
      for (std::size_t b = a + 1; b < results.size(); ++b) {
        rows.push_back(row_of(scope, tasks, difference(scores[b], scores[a])));
        rows.back().method = results[b].method;
        rows.back().against = results[a].method;
      }
    }
  }
  return rows;
}

Json to_json(const std::vector<BbobRow>& rows) {
  Json json = Json::array();
  for (const BbobRow& r : rows) {
    Json smaller = Json::array();
    for (const BbobAreaWithin& within : r.smaller) {
      smaller.push_back({{"budget", within.budget},
                         {"area", within.area.mean},
                         {"area_standard_error", json_of(within.area.standard_error)}});
    }
    json.push_back({{"method", r.method},
                    {"against", json_of(r.against)},
                    {"dimension", json_of(r.scope.dimension)},
                    {"group", json_of(r.scope.group)},
                    {"function", json_of(r.scope.function)},
                    {"area", r.area.mean},
                    {"area_standard_error", json_of(r.area.standard_error)},
                    {"share", r.share.mean},
                    {"share_standard_error", json_of(r.share.standard_error)},
                    {"smaller_budgets", smaller}});
  }
  return json;
}

BbobCurve ecdf(const BbobScope& scope, const std::vector<BbobTask>& tasks, const BbobResults& results, double budget) {
  constexpr std::size_t points = 121;
  std::vector<double> reaches;  // evaluations/d of each hit
  double all = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!scope.holds(tasks[i])) continue;
    all += bbob_targets;
    for (const std::int64_t hit : results.outcomes[i].hits) {
      if (hit > 0) reaches.push_back(static_cast<double>(hit) / static_cast<double>(tasks[i].dimension));
    }
  }
  std::sort(reaches.begin(), reaches.end());
  BbobCurve curve;
  for (std::size_t k = 0; k < points; ++k) {
    const double x = elementary::pow(budget, static_cast<double>(k) / (points - 1));
    // The bound is a little larger, so that the last point counts the whole budget in spite of rounding.
    const auto hit = std::upper_bound(reaches.begin(), reaches.end(), x * (1 + 1e-12)) - reaches.begin();
    curve.evaluations.push_back(x);
    curve.share.push_back(static_cast<double>(hit) / all);
  }
  return curve;
}

std::vector<BbobScope> curve_scopes(const std::vector<BbobTask>& tasks) {
  std::vector<BbobScope> scopes = all_scopes(tasks);
  std::erase_if(scopes, [](const BbobScope& scope) { return !scope.dimension || scope.function; });
  return scopes;
}

}  // namespace surefoot
