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
  return {scope, {}, {}, area.estimate(), share.estimate()};
}

Scores difference(const Scores& a, const Scores& b) {
  Scores result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back({a[i].area - b[i].area, a[i].share - b[i].share});
  return result;
}

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

BbobScore score(const BbobOutcome& outcome, Index dimension, double budget) {
  BbobScore result;
  for (const std::int64_t hit : outcome.hits) {
    if (hit == 0) continue;
    const double reach =
        elementary::log10(static_cast<double>(hit) / static_cast<double>(dimension)) / elementary::log10(budget);
    result.area += std::clamp(1 - reach, 0.0, 1.0) / bbob_targets;
    result.share += 1.0 / bbob_targets;
  }
  return result;
}

bool BbobScope::holds(const BbobTask& task) const {
  return (!dimension || *dimension == task.dimension) && (!group || *group == group_of(task.function)) &&
         (!function || *function == task.function);
}

std::vector<BbobRow> summarise(const std::vector<BbobTask>& tasks, const std::vector<BbobResults>& results,
                               double budget) {
  std::vector<Scores> scores;
  for (const BbobResults& r : results) {
    Scores& list = scores.emplace_back();
    for (std::size_t i = 0; i < tasks.size(); ++i) list.push_back(score(r.outcomes[i], tasks[i].dimension, budget));
  }
  std::vector<BbobRow> rows;
  for (const BbobScope& scope : all_scopes(tasks)) {
    for (std::size_t a = 0; a < results.size(); ++a) {
      rows.push_back(row_of(scope, tasks, scores[a]));
      rows.back().method = results[a].method;
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
    json.push_back({{"method", r.method},
                    {"against", json_of(r.against)},
                    {"dimension", json_of(r.scope.dimension)},
                    {"group", json_of(r.scope.group)},
                    {"function", json_of(r.scope.function)},
                    {"area", r.area.mean},
                    {"area_standard_error", json_of(r.area.standard_error)},
                    {"share", r.share.mean},
                    {"share_standard_error", json_of(r.share.standard_error)}});
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
