#include "surefoot/practical.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "driver/atomic_file.hpp"
#include "experiments/experiment.hpp"
#include "experiments/practical_bench.hpp"
#include "experiments/practical_run.hpp"
#include "experiments/uniform.hpp"
#include "surefoot/minimize.hpp"
#include "surefoot/problems.hpp"

namespace surefoot {
namespace {

Vector random_point(const Bounds& box, std::mt19937_64& engine) {
  Vector x(box.lower.size());
  for (Index i = 0; i < x.size(); ++i) x[i] = box.lower[i] + (box.upper[i] - box.lower[i]) * uniform(engine);
  return x;
}

double value_at(const PracticalProblem& problem, const Vector& x) {
  return problem({x.data(), static_cast<std::size_t>(x.size())});
}

TEST(PracticalProblems, AreATableOfDistinctNamesWithFiniteBoxes) {
  std::set<std::string> names;
  for (const PracticalProblem& p : practical_table()) {
    EXPECT_TRUE(names.insert(p.name).second) << p.name;
    EXPECT_GE(p.dimension(), 2) << p.name;
    EXPECT_LE(p.dimension(), 30) << p.name;
    ASSERT_EQ(p.bounds.upper.size(), p.dimension()) << p.name;
    EXPECT_TRUE(p.bounds.lower.allFinite() && p.bounds.upper.allFinite()) << p.name;
    EXPECT_TRUE((p.bounds.lower.array() < p.bounds.upper.array()).all()) << p.name;
    EXPECT_FALSE(p.story.empty() || p.title.empty() || p.citation.empty()) << p.name;
  }
  EXPECT_GE(names.size(), 15U);
  EXPECT_THROW(find_practical("everest"), std::invalid_argument);
}

TEST(PracticalProblems, CiteTheBibliography) {
  const std::string keys = read_file(SUREFOOT_TEST_DATA "/../../docs/reference/bibliography.md");
  for (const PracticalProblem& p : practical_table()) {
    EXPECT_NE(keys.find("**[" + p.citation + "]**"), std::string::npos) << p.citation;
  }
}

TEST(PracticalProblems, HaveTheirBestValueAtTheirBestPoint) {
  for (const PracticalProblem& p : practical_table()) {
    ASSERT_EQ(p.best.size(), p.dimension()) << p.name;
    EXPECT_TRUE((p.best.array() >= p.bounds.lower.array()).all()) << p.name;
    EXPECT_TRUE((p.best.array() <= p.bounds.upper.array()).all()) << p.name;
    EXPECT_NEAR(value_at(p, p.best), p.best_value, 1e-10 * (p.typical_value - p.best_value)) << p.name;
  }
}

TEST(PracticalProblems, HaveTheMedianOfRandomPointsAsTypicalValue) {
  for (const PracticalProblem& p : practical_table()) {
    std::mt19937_64 engine(1);
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) values.push_back(value_at(p, random_point(p.bounds, engine)));
    for (const double f : values) {
      EXPECT_FALSE(std::isnan(f)) << p.name;
      EXPECT_GT(f, p.best_value) << p.name;
    }
    EXPECT_NEAR(quantile(values, 0.5), p.typical_value, 1e-9 * std::abs(p.typical_value)) << p.name;
    EXPECT_EQ(p.regret(p.best_value), 0) << p.name;
    EXPECT_EQ(p.regret(p.typical_value), 1) << p.name;
  }
}

TEST(PracticalProblems, HaveNoBetterNeighbours) {
  // No step from a best known point to a neighbour may lead below it by an amount that would count.
  for (const PracticalProblem& p : practical_table()) {
    std::mt19937_64 engine(2);
    for (const double width : {1e-1, 1e-2, 1e-3, 1e-4, 1e-6}) {
      for (int i = 0; i < 100; ++i) {
        const Vector x = p.best + width * (random_point(p.bounds, engine) - p.best);
        EXPECT_GT(p.regret(value_at(p, x)), -1e-9) << p.name;
      }
    }
  }
}

/// Values that others have published.
TEST(PracticalProblems, AgreeWithTheLiterature) {
  EXPECT_NEAR(find_practical("kinetics").best_value, 19.872, 1e-3);
  // Certified sum of squares of the NIST's MGH10, which is this problem: 87.945855171.
  EXPECT_NEAR(find_practical("thermistor").best_value, 8 * std::log(87.945855171 / 16), 1e-8);
  EXPECT_NEAR(find_practical("solar-cell").best_value, 9.8602e-4, 1e-8);
  EXPECT_NEAR(find_practical("lennard-jones-5").best_value, -9.103852, 1e-6);
  EXPECT_NEAR(find_practical("lennard-jones-7").best_value, -16.505384, 1e-6);
  EXPECT_NEAR(find_practical("welded-beam").best_value, 1.724852, 1e-6);
  EXPECT_NEAR(find_practical("spring").best_value, 0.012665, 1e-6);
  EXPECT_NEAR(find_practical("pressure-vessel").best_value, 6059.714, 1e-3);
  EXPECT_NEAR(find_practical("truss").best_value, 5060.85, 0.01);
}

TEST(PracticalProblems, HaveValuesThatCanBeComputedByHand) {
  // Two atoms at distance 1 have energy 0; five that are far apart have almost none.
  const PracticalProblem& cluster = find_practical("lennard-jones-5");
  EXPECT_NEAR(value_at(cluster, Vector{{2.5, -2.5, 2.5, 2.5, -2.5, -2.5, -2.5, -2.5, 2.5}}), 0, 0.05);
  // A trolley that never moves is 6 m from its goal.
  EXPECT_EQ(value_at(find_practical("crane"), Vector::Zero(30)), 36);
  // A network of zeros is undecided about everything.
  EXPECT_NEAR(value_at(find_practical("neural-network"), Vector::Zero(17)), std::log(2.0), 1e-12);
  // A pole that is not pushed falls; one that is pushed the wrong way falls sooner.
  const PracticalProblem& pole = find_practical("cart-pole");
  EXPECT_GT(value_at(pole, Vector{{0, 0, -100, 0}}), value_at(pole, Vector::Zero(4)));
  // Sixteenths of an inch and whole pieces make steps.
  const PracticalProblem& vessel = find_practical("pressure-vessel");
  EXPECT_EQ(value_at(vessel, Vector{{1.01, 0.5, 45, 150}}), value_at(vessel, Vector{{1.02, 0.51, 45, 150}}));
  const PracticalProblem& stock = find_practical("inventory");
  EXPECT_EQ(value_at(stock, Vector{{40.2, 79.6}}), value_at(stock, Vector{{39.7, 80.4}}));
  // The antenna's first cosine series by the definition, at one grid point: all gaps of half a wavelength have the
  // sidelobes of a uniform array, 13.2 dB below the beam.
  EXPECT_NEAR(value_at(find_practical("antenna"), Vector{{0.25, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}}), -13.2,
              0.1);
}

TEST(PracticalProblems, AreProblemsLikeAllOthers) {
  const ProblemInstance problem = make_problem("predator-prey");
  const PracticalProblem& row = find_practical("predator-prey");
  EXPECT_FALSE(problem.sigma0);
  EXPECT_EQ(problem.start, (row.bounds.lower + row.bounds.upper) / 2);
  EXPECT_EQ(problem.optimal_value, row.best_value);
  EXPECT_EQ(make_problem("predator-prey", 6).start, problem.start);
  EXPECT_THROW(make_problem("predator-prey", 5), std::invalid_argument);
  EXPECT_THROW(make_problem("predator-prey", 6, 2), std::invalid_argument);
  EXPECT_THROW(make_problem("sphere"), std::invalid_argument);
  const Result result = minimize(problem.values, problem.start, {}, {.bounds = problem.bounds, .seed = 1});
  EXPECT_LT(row.regret(result.fun), 0.05);
}

TEST(PracticalRuns, StartInTheBoxAndCountTheirEvaluations) {
  const PracticalProblem& problem = find_practical("borehole");
  const Vector x = practical_start(problem, 7);
  EXPECT_EQ(x, practical_start(problem, 7));
  EXPECT_NE(x, practical_start(problem, 8));
  // Peers have the same starts: tests/python/test_extras.py has the same numbers.
  EXPECT_EQ(practical_start(find_practical("spring"), seed_of(1, "practical/spring/1")),
            (Vector{{0.2074451535979528, 1.0978527407396426, 7.370690478394389}}));
  EXPECT_TRUE((x.array() > problem.bounds.lower.array()).all() && (x.array() < problem.bounds.upper.array()).all());
  for (const char* method : {"cma", "random", "auto", "xnes/ipop"}) {
    const PracticalOutcome outcome = run_practical(make_contender(method, "none"), problem, 101, 7);
    EXPECT_EQ(outcome.evaluations, 101) << method;
    EXPECT_LT(outcome.best, problem.typical_value) << method;
  }
  EXPECT_GT(run_practical(make_contender("cma/bipop", "none"), find_practical("spring"), 20000, 7).runs, 1);
  EXPECT_EQ(run_practical(make_contender("cma", "none"), find_practical("spring"), 20000, 7).runs, 1);
}

/// Two problems, two seeds, one budget; a value is a regret.
struct SmallTable {
  std::vector<PracticalTask> tasks;
  double at(std::size_t task, double regret) const {
    const PracticalProblem& p = *tasks[task].problem;
    return p.best_value + regret * (p.typical_value - p.best_value);
  }
  PracticalResults results(const std::string& method, const std::vector<double>& regrets) const {
    PracticalResults r{method, {}};
    for (std::size_t i = 0; i < regrets.size(); ++i) r.best.emplace_back(at(i, regrets[i]));
    return r;
  }
};

SmallTable small_table() {
  const PracticalProblem& a = find_practical("pid");
  const PracticalProblem& b = find_practical("borehole");
  return {{{&a, 20, 1}, {&a, 20, 2}, {&b, 20, 1}, {&b, 20, 2}}};
}

TEST(PracticalSummary, HasSharesWithErrorsOverSeeds) {
  const SmallTable table = small_table();
  const auto rows = summarise(table.tasks, {table.results("x", {0.005, 0.5, 0.00005, 0.002})});
  ASSERT_EQ(rows.size(), 3U);  // all, and two problems
  // Seed 1: both within 1 %, seed 2: one of two.
  EXPECT_NEAR(rows[0].within[0].mean, 0.75, 1e-12);
  EXPECT_NEAR(*rows[0].within[0].standard_error, 0.25, 1e-12);
  EXPECT_NEAR(rows[0].within[1].mean, 0.25, 1e-12);
  EXPECT_NEAR(rows[0].median_regret, 0.0035, 1e-9);
  EXPECT_EQ(rows[1].problem, "pid");
  EXPECT_NEAR(rows[1].within[0].mean, 0.5, 1e-12);
  EXPECT_NEAR(rows[2].within[0].mean, 1, 1e-12);
  EXPECT_NEAR(*rows[2].within[0].standard_error, 0, 1e-12);
}

TEST(PracticalSummary, LeavesOutBudgetsThatAMethodWasNotRunAt) {
  const SmallTable table = small_table();
  PracticalResults partial = table.results("y", {0, 0, 0, 0});
  partial.best[2].reset();
  const auto rows = summarise(table.tasks, {table.results("x", {1, 1, 1, 1}), partial});
  for (const PracticalRow& row : rows) EXPECT_EQ(row.method, "x");
}

TEST(PracticalVerdicts, NameTheBestAndItsEquals) {
  const SmallTable table = small_table();
  const PracticalResults always = table.results("always", {0, 0, 0, 0});
  const PracticalResults half = table.results("half", {0, 1, 0, 0});
  const PracticalResults never = table.results("never", {1, 1, 1, 1});
  const auto said = verdicts(table.tasks, {never, half, always});
  ASSERT_EQ(said.size(), 2U);
  // always - half: seeds 0 and 1/2: 0.25 +- 0.25, which is within two errors; always - never: 1 +- 0.
  EXPECT_EQ(said[0].sentence,
            "Within 1 % at 20 d: 100.0 +- 0.0 % of the runs of always; equal within two standard errors: half (75.0 +- "
            "25.0 %).");
  EXPECT_EQ(verdicts(table.tasks, {never, always})[1].sentence,
            "Within 1e-4 at 20 d: 100.0 +- 0.0 % of the runs of always, more than any other.");
  EXPECT_EQ(verdicts(table.tasks, {never})[0].sentence, "Within 1 % at 20 d: no run of any method.");
}

TEST(PracticalContenders, NameRestartsAfterTheStrategy) {
  EXPECT_EQ(make_contender("cma", "none").options.restarts.text(), "none");
  EXPECT_EQ(make_contender("cma/bipop", "none").options.restarts.text(), "bipop:9");
  EXPECT_EQ(make_contender("auto", "none").options.method, "auto");
  EXPECT_EQ(make_contender("auto", "none").options.restarts.text(), "none");
}

}  // namespace
}  // namespace surefoot
