#include "experiments/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/paper.hpp"
#include "surefoot/learning_rate.hpp"

namespace surefoot {
namespace {

/// Median of l_theta between two numbers of evaluations.
double median_length(const Course& course, double from, double to) {
  std::vector<double> lengths;
  for (std::size_t t = 0; t < course.nfev.size(); ++t) {
    if (course.nfev[t] >= from && course.nfev[t] <= to) lengths.push_back(course.l_theta[t]);
  }
  return lengths.empty() ? std::nan("") : quantile(lengths, 0.5);
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

const Course* find(const Courses& courses, const TypicalRun& run) {
  const auto found = courses.find(run.name());
  return found == courses.end() ? nullptr : &found->second;
}

Verdict path_length_verdict(const Courses& courses) {
  Verdict verdict{
      "RQ1",
      "With a fixed rate the path is longer than 1 on Sphere and Ellipsoid; on Rastrigin it is close to 1, the "
      "value of a random function, between about 50 000 and 120 000 evaluations (popsize 400).",
      "Figure 1 was not run on these functions.", std::nullopt};
  const Course* sphere = find(courses, {1, "sphere", 400, "x1"});
  const Course* ellipsoid = find(courses, {1, "ellipsoid", 400, "x1"});
  const Course* rastrigin = find(courses, {1, "rastrigin", 400, "x1"});
  if (sphere == nullptr || ellipsoid == nullptr || rastrigin == nullptr) return verdict;
  const auto everywhere = static_cast<double>(paper::maxfevals);
  const double l_sphere = median_length(*sphere, 0, everywhere);
  const double l_ellipsoid = median_length(*ellipsoid, 0, everywhere);
  const double l_early = median_length(*rastrigin, 0, 2e4);
  const double l_rugged = median_length(*rastrigin, 5e4, 1.2e5);
  const double l_late = median_length(*rastrigin, 2e5, everywhere);
  verdict.answer = fmt::format(
      "Median path length: Sphere {:.1f}, Ellipsoid {:.1f}; Rastrigin {:.2f} in the first 20 000 evaluations, {:.2f} "
      "between 50 000 "
      "and 120 000, {:.1f} after 200 000.",
      l_sphere, l_ellipsoid, l_early, l_rugged, l_late);
  // A length is close to 1 if it is closer to 1, on a logarithmic scale, than to the length in the run's final phase.
  verdict.holds = l_sphere > 1 && l_ellipsoid > 1 && l_rugged < std::sqrt(l_late) && l_rugged > 0.5 && l_rugged < 2;
  return verdict;
}

Verdict adaptation_verdict(const Courses& courses) {
  Verdict verdict{"RQ2", "At popsize 10 on Sphere the rates stay at the default; they rise with the population size.",
                  "Figure 3 was not run.", std::nullopt};
  const double standard = default_learning_rates(paper::dimension).sigma;
  std::vector<double> means;
  double raised_at_10 = 0;
  for (const Index popsize : paper::sphere_popsizes()) {
    const Course* course = find(courses, {3, "sphere", popsize, "adaptive"});
    if (course == nullptr) return verdict;
    means.push_back(mean(course->eta_sigma) / standard);
    if (popsize != 10) continue;
    const auto raised = std::count_if(course->eta_sigma.begin(), course->eta_sigma.end(),
                                      [&](double eta) { return eta > 1.001 * standard; });
    raised_at_10 = static_cast<double>(raised) / static_cast<double>(course->eta_sigma.size());
  }
  verdict.answer = fmt::format(
      "Mean rate in multiples of the default at popsize 10, 20, 30, 40, 50: {:.2f}, {:.2f}, {:.2f}, {:.2f}, {:.2f}. At "
      "popsize 10 the rate "
      "is above the default in {:.0f} % of the generations.",
      means[0], means[1], means[2], means[3], means[4], 100 * raised_at_10);
  verdict.holds = means[0] < 1.1 && std::is_sorted(means.begin(), means.end());
  return verdict;
}

/// The rows of figure 4 by function, population size and method.
class Table {
 public:
  explicit Table(const std::vector<CellSummary>& summary) {
    for (const CellSummary& row : summary) {
      if (row.figure == 4) rows_[{row.cell.function, row.cell.popsize}][row.cell.method] = &row;
    }
  }

  using Row = std::map<std::string, const CellSummary*>;
  [[nodiscard]] const std::map<std::pair<std::string, Index>, Row>& rows() const { return rows_; }

 private:
  std::map<std::pair<std::string, Index>, Row> rows_;
};

double cost(const CellSummary& row) { return row.evaluations_per_success.value_or(HUGE_VAL); }

Verdict comparison_verdict(const std::vector<CellSummary>& summary) {
  Verdict verdict{
      "RQ3",
      "The adaptive rate beats the default rate except at popsize 10, where they are level; with large populations "
      "it is close to 8 times the default rate, which fails with small ones.",
      "Figure 4 was not run with the methods adaptive, x1 and x8.", std::nullopt};
  int cells = 0;
  int better = 0;
  double largest_gain = 0;
  int x8_fails = 0;
  int adaptive_fails = 0;
  std::string weak;
  const Table table(summary);
  for (const auto& [place, row] : table.rows()) {
    if (!row.contains("adaptive") || !row.contains("x1") || !row.contains("x8")) continue;
    const CellSummary& adaptive = *row.at("adaptive");
    ++cells;
    const double gain = cost(*row.at("x1")) / cost(adaptive);
    if (gain > 1) ++better;
    largest_gain = std::max(largest_gain, gain);
    if (row.at("x8")->success_rate < 0.5) ++x8_fails;
    if (adaptive.success_rate < 0.5) ++adaptive_fails;
    if (adaptive.success_rate < 0.9) {
      weak += fmt::format("{}{} {} ({:.0f} %)", weak.empty() ? "" : ", ", place.first, place.second,
                          100 * adaptive.success_rate);
    }
  }
  if (cells == 0) return verdict;
  verdict.answer = fmt::format(
      "The adaptive rate needs fewer evaluations per success than the default rate in {} of {} cells, up to {:.1f} "
      "times fewer. Eight "
      "times the default rate fails in most trials of {} cells, the adaptive rate in {}.",
      better, cells, largest_gain, x8_fails, adaptive_fails);
  if (!weak.empty()) {
    verdict.answer += fmt::format(
        " Success rates of the adaptive rate below 90 %, which dividing by the success rate hides: {}.", weak);
  }
  verdict.holds = better >= 0.9 * cells && adaptive_fails == 0 && x8_fails > 0;
  return verdict;
}

/// How the rows of one figure compare with the paper.
struct Agreement {
  int compared = 0;
  int in_repeat = 0;    // the paper's number is where a second experiment's would be
  int in_interval = 0;  // it is inside our own interval
  int fewest_trials = std::numeric_limits<int>::max();
  std::string outside;  // the repeat interval
  std::string excluded;
  std::vector<double> deviations;  // where every trial succeeds
};

Agreement agreement(const std::vector<CellSummary>& summary, int figure) {
  Agreement a;
  for (const CellSummary& row : summary) {
    if (row.figure != figure || !row.paper) continue;
    const std::string place = fmt::format("{} {} {}", row.cell.function, row.cell.popsize, row.cell.method);
    if (!row.reproducible) {
      a.excluded += fmt::format("{}{} ({:.0f} here, {:.0f} in the paper)", a.excluded.empty() ? "" : ", ", place,
                                cost(row), *row.paper);
      continue;
    }
    ++a.compared;
    a.fewest_trials = std::min(a.fewest_trials, row.cell.trials);
    if (row.success_rate == 1 && row.ratio) a.deviations.push_back(std::abs(*row.ratio - 1));
    if (row.covers_paper(row.interval)) ++a.in_interval;
    if (row.covers_paper(row.repeat)) {
      ++a.in_repeat;
    } else {
      a.outside += fmt::format("{}{} ({:.2f})", a.outside.empty() ? "" : ", ", place, row.ratio.value_or(0));
    }
  }
  return a;
}

double percent(int part, int whole) { return 100.0 * part / whole; }

Verdict agreement_verdict(const std::vector<CellSummary>& summary) {
  Verdict verdict{"Agreement", "The published numbers come out again.", "No cell with a published number was run.",
                  std::nullopt};
  const Agreement costs = agreement(summary, 4);
  const Agreement rates = agreement(summary, 5);
  if (costs.deviations.empty()) return verdict;
  const double median = quantile(costs.deviations, 0.5);
  verdict.answer = fmt::format(
      "Over the {} cells in which every trial succeeds the median deviation is {:.2f} %. The paper's number lies where "
      "a second "
      "experiment of the same size would fall (95 %) in {} of {} cells ({:.0f} %), and inside our own 95 % interval, "
      "which cannot "
      "know the paper's sampling error and would hold a mere repetition in 83 %, in {} ({:.0f} %).",
      costs.deviations.size(), 100 * median, costs.in_repeat, costs.compared, percent(costs.in_repeat, costs.compared),
      costs.in_interval, percent(costs.in_interval, costs.compared));
  if (rates.compared > 0) {
    verdict.answer +=
        fmt::format(" Success rates of figure 5 within sampling error: {} of {}.", rates.in_repeat, rates.compared);
  }
  if (!costs.outside.empty())
    verdict.answer += fmt::format(" Outside, with their ratio to the paper: {}.", costs.outside);
  if (!costs.excluded.empty()) {
    verdict.answer += fmt::format(
        " Not counted, because the authors' own program does not give the paper's number either: {}.", costs.excluded);
  }
  if (costs.fewest_trials < 30) {
    verdict.answer +=
        fmt::format(" With {} trials a cell the intervals are too narrow for a judgement.", costs.fewest_trials);
    return verdict;
  }
  verdict.holds = median <= 0.02 && costs.in_repeat >= 0.9 * costs.compared;
  return verdict;
}

}  // namespace

std::vector<Verdict> verdicts(const std::vector<CellSummary>& summary, const Courses& courses) {
  return {path_length_verdict(courses), adaptation_verdict(courses), comparison_verdict(summary),
          agreement_verdict(summary)};
}

nlohmann::ordered_json to_json(const std::vector<Verdict>& verdicts) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Verdict& v : verdicts) {
    nlohmann::ordered_json holds = nullptr;
    if (v.holds) holds = *v.holds;
    json.push_back({{"question", v.question}, {"claim", v.claim}, {"answer", v.answer}, {"holds", holds}});
  }
  return json;
}

}  // namespace surefoot
