#include "experiments/arena_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/elementary/elementary.hpp"

namespace surefoot {
namespace {

using Json = nlohmann::ordered_json;

std::vector<TrialOutcome> outcomes_of(const ArenaResult& result, std::size_t first, std::size_t count) {
  std::vector<TrialOutcome> outcomes;
  for (std::size_t i = first; i < first + count; ++i) {
    outcomes.push_back({result.outcomes[i].success, result.outcomes[i].evaluations});
  }
  return outcomes;
}

std::vector<TrialOutcome> outcomes_of(const ArenaResult& result) {
  return outcomes_of(result, 0, result.outcomes.size());
}

std::vector<TrialOutcome> block_of(const ArenaResult& result, int block) {
  const std::size_t size = result.outcomes.size() / static_cast<std::size_t>(result.blocks);
  return outcomes_of(result, static_cast<std::size_t>(block) * size, size);
}

template <class Number>
double median_of(const ArenaResult& result, const Number& number) {
  std::vector<double> values;
  for (const ArenaOutcome& o : result.outcomes) values.push_back(number(o));
  return quantile(values, 0.5);
}

std::optional<double> ratio_of(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b) return std::nullopt;
  return *a / *b;
}

ArenaSummary summary_of(const ArenaResult& r, const ArenaResult& reference) {
  const std::vector<TrialOutcome> outcomes = outcomes_of(r);
  ArenaSummary s{.cell = r.cell, .method = r.method, .growth = {}};
  s.trials = static_cast<int>(outcomes.size());
  s.success_rate = success_rate(outcomes);
  s.evaluations_per_success = evaluations_per_success(outcomes);
  s.interval = bootstrap_interval(outcomes);
  s.ratio = ratio_of(s.evaluations_per_success, evaluations_per_success(outcomes_of(reference)));
  s.median_distance = median_of(r, [](const ArenaOutcome& o) { return o.distance; });
  s.growth = {std::numeric_limits<double>::infinity(), 0};
  for (const ArenaOutcome& o : r.outcomes) {
    s.growth = {std::min(s.growth.low, o.growth), std::max(s.growth.high, o.growth)};
    s.largest_drift = std::max(s.largest_drift, o.drift);
  }
  s.eta_m = median_of(r, [](const ArenaOutcome& o) { return o.eta_m / o.lowest_eta_m; });
  s.eta_sigma = median_of(r, [](const ArenaOutcome& o) { return o.eta_sigma / o.lowest_eta_sigma; });
  s.eta_B = median_of(r, [](const ArenaOutcome& o) { return o.eta_B / o.lowest_eta_B; });
  return s;
}

using Pairs = std::vector<std::pair<const ArenaResult*, const ArenaResult*>>;  // a method and the chosen one

/// Geometric mean of the ratios of a block; empty if there is no function on which both succeed.
std::optional<double> block_ratio(const Pairs& pairs, int block) {
  double sum = 0;
  int count = 0;
  for (const auto& [mine, reference] : pairs) {
    const auto ratio =
        ratio_of(evaluations_per_success(block_of(*mine, block)), evaluations_per_success(block_of(*reference, block)));
    if (!ratio) continue;
    sum += elementary::log(*ratio);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return elementary::exp(sum / count);
}

ArenaGroup group_of(const Pairs& pairs) {
  const ArenaResult& first = *pairs.front().first;
  ArenaGroup group{.dimension = first.cell.dimension, .popsize = first.cell.popsize, .method = first.method};
  for (int block = 0; block < first.blocks; ++block) {
    if (const auto ratio = block_ratio(pairs, block)) group.ratios.push_back(*ratio);
  }
  if (!group.ratios.empty()) group.median = quantile(group.ratios, 0.5);
  for (const auto& [mine, reference] : pairs) {
    ++group.cells;
    const auto a = outcomes_of(*mine);
    const auto b = outcomes_of(*reference);
    if (success_rate(a) < 1 && success_rate(b) == 1) ++group.failures;
    const auto ratio = ratio_of(evaluations_per_success(a), evaluations_per_success(b));
    if (!ratio) continue;
    if (*ratio < 1) ++group.faster;
    if (*ratio > group.worst) {
      group.worst = *ratio;
      group.worst_function = mine->cell.function;
    }
  }
  return group;
}

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

ArenaReport summarise(const std::vector<ArenaResult>& results, const std::string& against) {
  std::map<std::string, const ArenaResult*> references;
  for (const ArenaResult& r : results) {
    if (r.method == against) references[r.cell.text()] = &r;
  }
  ArenaReport report;
  std::map<std::string, std::size_t> index;  // of the group of a method, dimension and popsize
  std::vector<Pairs> groups;
  for (const ArenaResult& r : results) {
    const ArenaResult* reference = references.at(r.cell.text());
    report.cells.push_back(summary_of(r, *reference));
    if (find_arena_function(r.cell.function).kind != ArenaKind::unimodal) continue;
    const std::string key = r.method + "/" + std::to_string(r.cell.dimension) + "/" + r.cell.popsize;
    const auto [place, is_new] = index.try_emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].emplace_back(&r, reference);
  }
  for (const Pairs& pairs : groups) report.groups.push_back(group_of(pairs));
  return report;
}

Json to_json(const ArenaReport& report) {
  Json cells = Json::array();
  for (const ArenaSummary& s : report.cells) {
    cells.push_back({{"function", s.cell.function},
                     {"kind", name(find_arena_function(s.cell.function).kind)},
                     {"dimension", s.cell.dimension},
                     {"popsize", s.cell.popsize},
                     {"candidates", s.cell.candidates()},
                     {"method", s.method},
                     {"trials", s.trials},
                     {"success_rate", s.success_rate},
                     {"evaluations_per_success", json_of(s.evaluations_per_success)},
                     {"ci_low", s.interval ? Json(s.interval->low) : Json(nullptr)},
                     {"ci_high", s.interval ? Json(s.interval->high) : Json(nullptr)},
                     {"ratio", json_of(s.ratio)},
                     {"median_distance", s.median_distance},
                     {"growth_low", s.growth.low},
                     {"growth_high", s.growth.high},
                     {"largest_drift", s.largest_drift},
                     {"eta_m", s.eta_m},
                     {"eta_sigma", s.eta_sigma},
                     {"eta_B", s.eta_B}});
  }
  Json groups = Json::array();
  for (const ArenaGroup& g : report.groups) {
    groups.push_back({{"dimension", g.dimension},
                      {"popsize", g.popsize},
                      {"method", g.method},
                      {"ratios", g.ratios},
                      {"median", json_of(g.median)},
                      {"worst", g.worst},
                      {"worst_function", g.worst_function},
                      {"cells", g.cells},
                      {"faster", g.faster},
                      {"failures", g.failures}});
  }
  return {{"cells", cells}, {"groups", groups}};
}

}  // namespace surefoot
