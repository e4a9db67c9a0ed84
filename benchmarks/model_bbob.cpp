// Areas on BBOB of searches with a quadratic model between ask and tell, with the seeds, starts and targets of
// `surefoot bench bbob`. The glue here is for measuring only; the parts that are measured are those of the library.
//
// Usage: surefoot_model_bbob KEY=VALUE..., for example
//        surefoot_model_bbob method=cma dims=2,3,5 instances=1,2,3,4,5 rows=out.csv
// Keys:  method=cma|ig-xnes  model=1|0  lines=1|0  stop=1|0  restarts=bipop|ipop  growth=1.5  tau=0.85  budget=2000
//        largest=1|2|3 (linear, diagonal, full)  dims, instances, functions: lists  threads=2  rows: a CSV file
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "driver/model/separable_search.hpp"
#include "driver/model/surrogate.hpp"
#include "driver/restart_schedule.hpp"
#include "driver/stop_criteria.hpp"
#include "experiments/bbob_run.hpp"
#include "experiments/bbob_summary.hpp"
#include "experiments/experiment.hpp"
#include "experiments/uniform.hpp"

namespace {

using namespace surefoot;

constexpr std::uint64_t schedule_draw = (std::uint64_t{1} << 48U) - 2;  // as in the driver

struct Settings {
  std::string method = "cma";
  bool model = true;
  bool lines = true;
  bool model_stop = true;
  bool true_criteria = false;  // stop criteria see true values only
  std::string restarts = "bipop";
  SurrogateRules rules;
  double budget = 2000;
  std::vector<int> dimensions = {2, 3, 5};
  std::vector<int> instances = {1, 2, 3, 4, 5};
  std::vector<int> functions;
  int threads = 2;
  std::string rows;
};

struct Tally {
  BbobOutcome outcome{.precision = std::numeric_limits<double>::infinity()};
  std::int64_t generations = 0, accepted = 0, fits = 0;
  std::int64_t lines_begun = 0, lines_solved = 0, lines_evaluations = 0;
  std::int64_t model_stops = 0;
};

/// The objective, watched.
class Watched {
 public:
  Watched(const BbobProblem& problem, std::int64_t budget, Tally& tally)
      : problem_(problem), budget_(budget), tally_(tally) {}

  double operator()(const Vector& x) {
    Vector value(1);
    problem_.evaluate(x, value);
    see(x, value[0]);
    return value[0];
  }
  [[nodiscard]] bool is_done() const { return next_target_ == bbob_targets || tally_.outcome.evaluations >= budget_; }
  [[nodiscard]] std::int64_t count() const { return tally_.outcome.evaluations; }
  [[nodiscard]] const Vector& best() const { return best_; }
  [[nodiscard]] double best_value() const { return best_value_; }

 private:
  void see(const Vector& x, double value) {
    if (tally_.outcome.evaluations >= budget_) return;
    ++tally_.outcome.evaluations;
    if (value < best_value_) {
      best_value_ = value;
      best_ = x;
    }
    tally_.outcome.precision = best_value_ - problem_.optimal_value();
    while (next_target_ < bbob_targets && tally_.outcome.precision <= bbob_target(next_target_)) {
      tally_.outcome.hits.at(next_target_++) = tally_.outcome.evaluations;
    }
  }

  const BbobProblem& problem_;
  std::int64_t budget_;
  Tally& tally_;
  std::size_t next_target_ = 0;
  Vector best_;
  double best_value_ = std::numeric_limits<double>::infinity();
};

double uniform_of(double normal) { return std::erfc(-normal / std::sqrt(2.0)) / 2; }

class Course {
 public:
  Course(const Settings& settings, const BbobProblem& problem, std::uint64_t seed)
      : settings_(settings),
        d_(problem.dimension()),
        seed_(seed),
        f_(problem, static_cast<std::int64_t>(settings.budget) * d_, tally_),
        schedule_(Restarts(settings.restarts), default_popsize(d_)) {}

  Tally run() {
    RunPlan plan = schedule_.first();
    Vector mean = start(1);
    std::int64_t visit = 0;
    while (!f_.is_done()) {
      const std::int64_t before = f_.count();
      const bool is_solved_by_lines = run_once(plan, mean);
      ++tally_.outcome.runs;
      if (f_.is_done()) break;
      if (is_solved_by_lines) {  // a short run around the base, which the schedule does not count
        mean = f_.best();
        plan = {default_popsize(d_), 0.01, {}};
        visit += f_.count() - before;
        ++run_;
        continue;
      }
      Matrix draws(1, 2);
      CounterNormals(seed_, static_cast<std::uint32_t>(run_)).fill(schedule_draw, draws);
      plan = *schedule_.next(visit + f_.count() - before, uniform_of(draws(0, 0)), uniform_of(draws(0, 1)));
      visit = 0;
      ++run_;
      mean = start(run_ + 1);
    }
    return tally_;
  }

 private:
  [[nodiscard]] Vector start(std::int64_t run) const {
    std::mt19937_64 engine(seed_of(seed_, "run " + std::to_string(run)));
    Vector x(d_);
    for (double& number : x) number = 4 * (2 * uniform(engine) - 1);
    return x;
  }

  /// True if the run ended because the line search solved the problem.
  bool run_once(const RunPlan& plan, const Vector& mean) {
    const SearchDistribution from =
        SearchDistribution::axis_parallel(mean, Vector::Constant(d_, 2 * plan.sigma_factor));
    const Options options{.method = settings_.method};
    const auto popsize = static_cast<Index>(plan.popsize);
    RunCriteria criteria(options, from, popsize);
    const std::int64_t left = static_cast<std::int64_t>(settings_.budget) * d_ - f_.count();
    auto strategy = make_strategy(
        settings_.method, {.start = from, .popsize = popsize, .budget = std::min(left, plan.maxfevals.value_or(left))});
    CounterNormals normals(seed_, static_cast<std::uint32_t>(run_));
    Surrogate surrogate(d_, popsize, settings_.rules);
    if (run_ == 0) surrogate.remember(mean, f_(mean));
    const std::int64_t before = f_.count();
    Matrix population;
    Vector told;
    for (std::int64_t g = 1; !f_.is_done(); ++g) {
      population = strategy->ask(static_cast<std::uint64_t>(g - 1), normals);
      if (settings_.model) {
        evaluate_with_model(*strategy, surrogate, population);
        told = surrogate.values();
      } else {
        told.resize(popsize);
        for (Index i = 0; i < popsize; ++i) told[i] = f_(population.col(i));
      }
      ++tally_.generations;
      if (f_.is_done()) return false;
      strategy->tell(population, told);
      if (is_test_due(surrogate) && search_lines(options)) return true;
      const Vector& seen = settings_.model && settings_.true_criteria ? surrogate.true_values() : told;
      if (criteria.test(*strategy, seen, g)) break;
      if (settings_.model && settings_.model_stop && surrogate.has_converged()) {
        ++tally_.model_stops;
        break;
      }
      if (plan.maxfevals && f_.count() - before >= *plan.maxfevals) break;
    }
    tally_.fits += surrogate.model().fits();
    return false;
  }

  void evaluate_with_model(const Strategy& strategy, Surrogate& surrogate, Matrix& population) {
    const SearchDistribution& distribution = strategy.distribution();
    surrogate.propose(population, distribution.mean, distribution.sigma * distribution.B);
    surrogate.begin(population);
    Vector values;
    while (!surrogate.is_complete()) {
      values.resize(static_cast<Index>(surrogate.wanted().size()));
      Index k = 0;
      for (const Index i : surrogate.wanted()) values[k++] = f_(population.col(i));
      surrogate.take(values);
      if (f_.is_done()) return;
    }
    tally_.accepted += surrogate.is_accepted() ? 1 : 0;
  }

  [[nodiscard]] bool is_test_due(const Surrogate& surrogate) const {
    if (!settings_.lines || run_ != 0 || tally_.lines_begun > 0) return false;
    const bool is_rejected = !settings_.model || !surrogate.is_accepted();
    return f_.count() >= (is_rejected ? 20 : 60) * d_;
  }

  bool search_lines(const Options& /*options*/) {
    ++tally_.lines_begun;
    const std::int64_t before = f_.count();
    SeparableSearch search(f_.best(), f_.best_value(), Vector::Constant(d_, 2), SearchBox::unbounded(d_), seed_);
    Vector values;
    while (!search.is_over() && !f_.is_done()) {
      values.resize(search.ask().cols());
      for (Index k = 0; k < values.size(); ++k) values[k] = f_(search.ask().col(k));
      search.tell(values);
    }
    tally_.lines_evaluations += f_.count() - before;
    const bool is_solved = !search.has_given_up();
    tally_.lines_solved += is_solved ? 1 : 0;
    return is_solved;
  }

  const Settings& settings_;
  Index d_;
  std::uint64_t seed_;
  Tally tally_;
  Watched f_;
  RestartSchedule schedule_;
  std::int64_t run_ = 0;
};

std::vector<int> list(const std::string& text) {
  std::vector<int> numbers;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, ',');) numbers.push_back(std::stoi(item));
  return numbers;
}

Settings parse(int count, char** arguments) {
  Settings s;
  for (int f = 1; f <= 24; ++f) s.functions.push_back(f);
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const auto at = argument.find('=');
    const std::string key = argument.substr(0, at);
    const std::string value = argument.substr(at + 1);
    if (key == "method")
      s.method = value;
    else if (key == "model")
      s.model = value == "1";
    else if (key == "lines")
      s.lines = value == "1";
    else if (key == "stop")
      s.model_stop = value == "1";
    else if (key == "true-criteria")
      s.true_criteria = value == "1";
    else if (key == "inject")
      s.rules.injects = value == "1";
    else if (key == "restarts")
      s.restarts = value;
    else if (key == "growth")
      s.rules.growth = std::stod(value);
    else if (key == "tau")
      s.rules.accepted_tau = std::stod(value);
    else if (key == "batch")
      s.rules.batch = std::stoi(value);
    else if (key == "largest")
      s.rules.largest = static_cast<ModelType>(std::stoi(value));
    else if (key == "budget")
      s.budget = std::stod(value);
    else if (key == "dims")
      s.dimensions = list(value);
    else if (key == "instances")
      s.instances = list(value);
    else if (key == "functions")
      s.functions = list(value);
    else if (key == "threads")
      s.threads = std::stoi(value);
    else if (key == "rows")
      s.rows = value;
    else
      throw std::invalid_argument("unknown key " + key);
  }
  s.restarts += ":100000";
  return s;
}

struct Mean {
  std::map<int, std::vector<double>> of_instance;

  void add(int instance, double value) { of_instance[instance].push_back(value); }
  /// Over instances, with the standard error of that.
  [[nodiscard]] std::pair<double, double> estimate() const {
    std::vector<double> means;
    for (const auto& [instance, values] : of_instance) {
      double sum = 0;
      for (const double v : values) sum += v;
      means.push_back(sum / static_cast<double>(values.size()));
    }
    const auto n = static_cast<double>(means.size());
    double mean = 0;
    for (const double m : means) mean += m / n;
    double square = 0;
    for (const double m : means) square += (m - mean) * (m - mean);
    return {mean, n > 1 ? std::sqrt(square / (n - 1) / n) : 0};
  }
};

}  // namespace

int main(int count, char** arguments) {
  const Settings settings = parse(count, arguments);
  std::vector<BbobTask> tasks;
  for (const int d : settings.dimensions)
    for (const int f : settings.functions)
      for (const int i : settings.instances) tasks.push_back({f, d, i});
  std::reverse(tasks.begin(), tasks.end());  // the expensive ones first
  std::vector<Tally> tallies(tasks.size());
  std::vector<double> seconds(tasks.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < tasks.size(); k = next++) {
      const BbobTask& t = tasks[k];
      const BbobProblem problem(t.function, t.dimension, t.instance);
      const std::string name =
          "bbob/" + std::to_string(t.function) + "/" + std::to_string(t.dimension) + "/" + std::to_string(t.instance);
      const auto begin = std::chrono::steady_clock::now();
      tallies[k] = Course(settings, problem, seed_of(1, name)).run();
      seconds[k] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < settings.threads; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();

  const std::vector<double> budgets = {20, 100, 500, 2000};
  std::map<int, std::map<int, Mean>> by_dimension;  // 0: all; budget
  std::map<int, std::map<int, Mean>> by_function;   // function; dimension, at the whole budget
  std::map<int, double> time;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const int d = static_cast<int>(tasks[k].dimension);
    time[d] += seconds[k];
    for (const double b : budgets) {
      const double area = score(tallies[k].outcome, d, b).area;
      by_dimension[d][static_cast<int>(b)].add(tasks[k].instance, area);
      by_dimension[0][static_cast<int>(b)].add(tasks[k].instance, area);
    }
    by_function[tasks[k].function][d].add(tasks[k].instance, score(tallies[k].outcome, d, settings.budget).area);
  }
  for (const auto& [d, areas] : by_dimension) {
    std::printf(d == 0 ? "all   " : "d=%-4d", d);
    for (const auto& [b, mean] : areas) {
      const auto [value, error] = mean.estimate();
      std::printf("  %4dd %.4f+-%.4f", b, value, error);
    }
    std::printf("  %.0f s\n", time[d]);
  }
  for (const auto& [f, means] : by_function) {
    std::printf("f%-3d", f);
    for (const auto& [d, mean] : means) std::printf("  d=%d %.4f", d, mean.estimate().first);
    std::printf("\n");
  }
  if (settings.rows.empty()) return 0;
  std::ofstream out(settings.rows);
  out << "function,dimension,instance,evaluations,precision,runs,generations,accepted,fits,lines_begun,lines_solved,"
         "lines_evaluations,model_stops,seconds,area20,area100,area500,area2000\n";
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const Tally& t = tallies[k];
    out << tasks[k].function << ',' << tasks[k].dimension << ',' << tasks[k].instance << ',' << t.outcome.evaluations
        << ',' << t.outcome.precision << ',' << t.outcome.runs << ',' << t.generations << ',' << t.accepted << ','
        << t.fits << ',' << t.lines_begun << ',' << t.lines_solved << ',' << t.lines_evaluations << ',' << t.model_stops
        << ',' << seconds[k];
    for (const double b : budgets) out << ',' << score(t.outcome, tasks[k].dimension, b).area;
    out << '\n';
  }
  return 0;
}
