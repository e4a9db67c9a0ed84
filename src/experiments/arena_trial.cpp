#include "experiments/arena_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "experiments/csv.hpp"
#include "surefoot/method.hpp"
#include "surefoot/minimize.hpp"

namespace surefoot {
namespace {

constexpr std::size_t course_points = 100;

/// Collects the rates of every generation and averages them.
class RateLog {
 public:
  void add(const Record& record) { records_.push_back(record); }

  void summarise(ArenaOutcome& outcome) const {
    if (records_.empty()) return;
    const auto first = records_.begin() + static_cast<std::ptrdiff_t>(records_.size() / 2);
    const auto average = [&](double Record::*rate) {
      double sum = 0;
      for (auto r = first; r != records_.end(); ++r) sum += (*r).*rate;
      return sum / static_cast<double>(records_.end() - first);
    };
    const auto lowest = [&](double Record::*rate) {
      double low = std::numeric_limits<double>::infinity();
      for (const Record& r : records_) low = std::min(low, r.*rate);
      return low;
    };
    outcome.eta_m = average(&Record::eta_m);
    outcome.eta_sigma = average(&Record::eta_sigma);
    outcome.eta_B = average(&Record::eta_B);
    outcome.lowest_eta_m = lowest(&Record::eta_m);
    outcome.lowest_eta_sigma = lowest(&Record::eta_sigma);
    outcome.lowest_eta_B = lowest(&Record::eta_B);
  }

  void thin_out(ArenaCourse& course) const {
    const std::size_t step = std::max<std::size_t>(1, records_.size() / course_points);
    for (std::size_t i = 0; i < records_.size(); i += step) {
      const Record& r = records_[i];
      course.nfev.push_back(static_cast<double>(r.nfev));
      course.best.push_back(r.best);
      course.sigma.push_back(r.sigma);
      course.eta_m.push_back(r.eta_m);
      course.eta_sigma.push_back(r.eta_sigma);
      course.eta_B.push_back(r.eta_B);
    }
  }

  [[nodiscard]] double last_sigma() const { return records_.empty() ? 0 : records_.back().sigma; }

 private:
  std::vector<Record> records_;
};

/// The budget in generations. Methods would plan for a budget in evaluations, and the arena compares methods that do
/// not know theirs.
/// Methods that set their population size have generations of any length, and make no plans.
void set_budget(Options& options, Index dimension, std::int64_t evaluations) {
  const std::string method = choose_method(options.method, options.learning_rate, {.dimension = dimension}).method;
  if (options.restarts.kind == Restarts::Kind::none && !find_method(method).sets_popsize) {
    options.maxiter = (evaluations + *options.popsize - 1) / *options.popsize;
  } else {
    options.maxfevals = evaluations;
  }
}

/// Averages are written with six digits: readers need no more, and the rounding of sums does not show.
std::string number(double value) { return fmt::format("{:.6g}", value); }

}  // namespace

Index ArenaCell::candidates() const {
  const Index n = default_popsize(dimension);
  return popsize == "default" ? n : n * std::stol(popsize);
}

std::string ArenaCell::text() const { return fmt::format("{},{},{}", function, dimension, popsize); }

const std::vector<std::string>& arena_columns() {
  static const std::vector<std::string> names = {
      "success",   "evaluations", "distance",     "growth",           "drift",        "eta_m",
      "eta_sigma", "eta_B",       "lowest_eta_m", "lowest_eta_sigma", "lowest_eta_B", "stop"};
  return names;
}

std::string fields_of(const ArenaOutcome& o) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", o.success ? 1 : 0, o.evaluations, number(o.distance),
                     number(o.growth), number(o.drift), number(o.eta_m), number(o.eta_sigma), number(o.eta_B),
                     number(o.lowest_eta_m), number(o.lowest_eta_sigma), number(o.lowest_eta_B), o.stop);
}

ArenaOutcome arena_outcome(const std::vector<std::string>& f) {
  const std::size_t first = f.size() - arena_columns().size();
  const auto at = [&](std::size_t i) { return csv_number(f.at(first + i)); };
  return {at(0) != 0, csv_count(f.at(first + 1)), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10),
          f.back()};
}

ArenaOutcome run_arena_trial(const Contender& contender, const ArenaCell& cell, std::uint64_t seed,
                             ArenaCourse* course) {
  const ArenaFunction& function = find_arena_function(cell.function);
  const ProblemInstance problem = make_arena_problem(function, cell.dimension, seed);
  const bool has_target = function.kind == ArenaKind::unimodal || function.kind == ArenaKind::multimodal;
  RateLog log;
  Options options = without_tolerances(contender.options);
  options.evaluate_x0 = false;  // The arena compares strategies, also with older numbers.
  options.popsize = cell.candidates();
  set_budget(options, cell.dimension, arena_budget(function, cell.dimension));
  options.seed = seed;
  if (has_target) options.ftarget = arena_target;
  options.callback = [&log](const Record& record) {
    log.add(record);
    return false;
  };
  const Result result = minimize(problem.values, problem.start, *problem.sigma0, options);

  ArenaOutcome outcome;
  outcome.success = has_target && result.success;
  outcome.evaluations = result.nfev;
  outcome.distance = (result.xfavorite - problem.optimum).norm();
  outcome.growth = log.last_sigma() / *problem.sigma0;
  outcome.drift = (result.xfavorite - problem.start).norm() / *problem.sigma0;
  outcome.stop = name(result.stop);
  log.summarise(outcome);
  if (course != nullptr) log.thin_out(*course);
  return outcome;
}

}  // namespace surefoot
