// Constraints g <= 0 and h = 0: the augmented Lagrangian, the lexicographic order, and all that carries their values.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "checkpoint_support.hpp"
#include "driver/merit/augmented_lagrangian.hpp"
#include "driver/merit/constraint_rules.hpp"
#include "experiments/replay.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using test::contains;
using test::rejection;

/// The sphere with x1 >= 1: f* = 1 at (1, 0, ..., 0), multiplier 2.
Evaluation half_space(const Vector& x) { return {.f = x.squaredNorm(), .g = {1 - x[0]}}; }

Options with_constraints(int constraints, Options options = {}) {
  options.constraints = constraints;
  if (!options.seed) options.seed = 1;
  return options;
}

Result search_problem(const std::string& name, Options options, std::optional<Index> dimension = {}) {
  const ProblemInstance problem = make_problem(name, dimension);
  options.bounds = problem.bounds;
  options.constraints = problem.constraints;
  options.equalities = problem.equalities;
  const Sigma0 sigma0 = problem.sigma0 ? Sigma0(*problem.sigma0) : Sigma0();
  return minimize(problem.evaluation, problem.start, sigma0, std::move(options));
}

void expect_same_search(const Result& a, const Result& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.fun, b.fun);
  EXPECT_EQ(a.constraints, b.constraints);
  EXPECT_EQ(a.multipliers, b.multipliers);
  EXPECT_EQ(a.violation, b.violation);
  EXPECT_EQ(a.nfev, b.nfev);
  EXPECT_EQ(a.nit, b.nit);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.xfavorite, b.xfavorite);
}

// The formulas.

TEST(AugmentedLagrangian, AgreesWithTheReferenceTrajectories) {
  for (const char* file : {"al_d4_m3.json", "al_d3_eq.json"}) {
    SCOPED_TRACE(file);
    const ReplayReport report = replay(test::fixtures / file);
    EXPECT_EQ(report.iterations, 60);
    EXPECT_TRUE(report.same_order);
    EXPECT_EQ(report.deviations.size(), 4U);  // fitness, gamma, mu, initialised
    for (const auto& [quantity, deviation] : report.deviations) EXPECT_LE(deviation, 1e-9) << quantity;
  }
}

TEST(AugmentedLagrangian, RanksByFAloneAtFirst) {
  AugmentedLagrangian lagrangian(2, {false});
  const Vector f{{3, 1, 2}};
  EXPECT_EQ(lagrangian.fitness(f, Matrix{{5, 7, -1}}), f);
  EXPECT_EQ(lagrangian.reference(), 1);
}

TEST(AugmentedLagrangian, KeepsMultipliersOfInequalitiesFromBecomingNegative) {
  AugmentedLagrangian lagrangian(3, {false, false});
  test::RandomValues random(5);
  for (int t = 0; t < 500; ++t) {
    const Vector f = random(8);
    Matrix g(2, 8);
    g.row(0) = random(8).transpose().array() - 0.5;
    g.row(1) = random(8).transpose() * 10;
    lagrangian.fitness(f, g);
    lagrangian.learn(f, g);
    ASSERT_GE(lagrangian.gamma().minCoeff(), 0) << t;
  }
  EXPECT_GT(lagrangian.mu().minCoeff(), 0);
}

TEST(AugmentedLagrangian, LeavesOutCandidatesThatAreNotFinite) {
  AugmentedLagrangian some(2, {false}), all(2, {false});
  const Vector f{{4, 3, 1, 2}};
  const Matrix g{{1, -1, 2, -2}};
  all.fitness(f, g);
  all.learn(f, g);
  const Vector with_nan{{4, test::nan, 3, 1, 2, -9}};
  const Matrix with_infinity{{1, 0, -1, 2, -2, test::inf}};
  const Vector fitness = some.fitness(with_nan, with_infinity);
  EXPECT_EQ(fitness[1], test::inf);
  EXPECT_EQ(fitness[5], test::inf);
  EXPECT_EQ(some.reference(), 3);
  some.learn(with_nan, with_infinity);
  EXPECT_EQ(some.mu(), all.mu());
  EXPECT_EQ(some.gamma(), all.gamma());
  EXPECT_GT(some.mu()[0], 0);
}

TEST(AugmentedLagrangian, StaysFiniteWhereNothingIsFeasible) {
  AugmentedLagrangian lagrangian(2, {false});
  const Vector f{{1, 2, 3, 4}};
  const Matrix g{{1, 2, 3, 4}};
  for (int t = 0; t < 20000; ++t) {
    lagrangian.fitness(f, g);
    ASSERT_GE(lagrangian.reference(), 0);
    lagrangian.learn(f, g);
  }
  EXPECT_TRUE(lagrangian.fitness(f, g).allFinite());
}

TEST(ConstraintRules, AddUpWhatIsAboveZero) {
  const ConstraintRules rules{2, 1, 1e-3};
  EXPECT_EQ(rules.violation(std::vector<double>{-1, 0, 1e-3}), 0);
  EXPECT_EQ(rules.violation(std::vector<double>{0.25, -1, -0.5}), 0.75);
  EXPECT_EQ(rules.name(1), "g[1]");
  EXPECT_EQ(rules.name(2), "h[0]");
  EXPECT_EQ(rules.describe(std::vector<double>{-1, 0.0031, 0}), "least violation 0.0031 of g[1]");
  const ConstraintRules named{2, 1, 1e-3, {"", "mass"}};
  EXPECT_EQ(named.all_names(), (std::vector<std::string>{"g[0]", "mass", "h[0]"}));
  EXPECT_EQ(named.symbol(1), "g[1]");
  EXPECT_EQ(named.describe(std::vector<double>{-1, 0.0031, 0}), "least violation 0.0031 of mass");
  EXPECT_EQ(defect_of(std::vector<double>{1, 2, NAN}, named.all_names()), "the value of mass is NaN");
  EXPECT_EQ(rules.describe(std::vector<double>{0.25, 0, -0.5}), "least violation 0.75, 0.5 of h[0]");
}

TEST(Outcomes, FailByOneConstraintThatIsNoNumber) {
  EXPECT_EQ(outcome_of(std::vector<double>{1, 2, test::nan}, 1).state, Outcome::State::failed);
  EXPECT_EQ(outcome_of(std::vector<double>{1, -test::inf}, 1).state, Outcome::State::failed);
  EXPECT_EQ(outcome_of(std::vector<double>{1, test::inf}, 1).state, Outcome::State::evaluated);
}

// The problems.

TEST(ConstrainedProblems, HaveTheirBestValuesAtFeasiblePoints) {
  std::set<std::string> names;
  for (const ConstrainedProblem& p : constrained_table()) {
    SCOPED_TRACE(p.name);
    EXPECT_TRUE(names.insert(p.name).second);
    const ProblemInstance problem = make_problem(p.name, p.dimension > 0 ? p.dimension : 7);
    const Vector& x = problem.optimum;
    const Evaluation best = problem.evaluation({x.data(), static_cast<std::size_t>(x.size())});
    EXPECT_EQ(best.g.size(), static_cast<std::size_t>(p.constraints));
    EXPECT_EQ(best.h.size(), static_cast<std::size_t>(p.equalities));
    EXPECT_NEAR(best.f, p.best_value, 1e-9 * std::max(1.0, std::abs(p.best_value)));
    double most = -test::inf;
    for (const double g : best.g) most = std::max(most, g);
    EXPECT_LE(most, p.name == "g10" ? 1e-6 : 1e-9);
    for (const double h : best.h) EXPECT_NEAR(h, 0, 1e-15);
    EXPECT_EQ(problem.value({x.data(), static_cast<std::size_t>(x.size())}), best.f);
  }
  EXPECT_THROW(find_constrained("g99"), std::invalid_argument);
}

// Searches.

TEST(Constraints, FindOptimumAndMultiplierOnAHalfSpace) {
  for (const Index d : {2, 5, 10}) {
    SCOPED_TRACE(d);
    const Result r = minimize(half_space, Vector::Constant(d, 3), 1,
                              with_constraints(1, {.constraints_mode = "augmented-lagrangian"}));
    EXPECT_TRUE(r.success) << r.message;
    EXPECT_TRUE(r.feasible);
    EXPECT_EQ(r.violation, 0);
    EXPECT_LE(r.constraints.at(0), 0);
    EXPECT_NEAR(r.fun, 1, 1e-6);
    ASSERT_EQ(r.multipliers.size(), 1);
    EXPECT_NEAR(r.multipliers[0], 2, 0.2);
    EXPECT_EQ(r.ncev, r.nfev);
  }
}

TEST(Constraints, FindFiveMultipliers) {
  const Result r = search_problem("mul10", {.seed = 3});
  EXPECT_TRUE(r.success) << r.message;
  EXPECT_NEAR(r.fun, 5, 5e-6);
  ASSERT_EQ(r.multipliers.size(), 5);
  for (const double gamma : r.multipliers) EXPECT_NEAR(gamma, 2, 0.2);
}

TEST(Constraints, ReturnFeasiblePointsOnly) {
  for (const char* name : {"g04", "g06", "g09", "g24"}) {
    SCOPED_TRACE(name);
    const ProblemInstance problem = make_problem(name);
    const Result r = search_problem(name, {.seed = 2});
    EXPECT_TRUE(r.feasible) << r.message;
    const Evaluation at_x = problem.evaluation({r.x.data(), static_cast<std::size_t>(r.x.size())});
    for (const double g : at_x.g) EXPECT_LE(g, 0);
    EXPECT_EQ(at_x.g, r.constraints);
    EXPECT_EQ(at_x.f, r.fun);
  }
}

TEST(Constraints, MeetEqualitiesToTheirTolerance) {
  const Result r = search_problem("g11", {.seed = 1});
  EXPECT_TRUE(r.success) << r.message;
  EXPECT_NEAR(r.fun, 0.75, 1e-5);
  EXPECT_LE(std::abs(r.constraints.at(0)), 1e-6);
}

TEST(Constraints, CanBeRankedLexicographically) {
  const Result r = minimize(half_space, {3, 3, 3}, 1,
                            with_constraints(1, {.constraints_mode = "lexicographic", .ftarget = 1 + 1e-6}));
  EXPECT_TRUE(r.success) << r.message;
  EXPECT_LE(r.constraints.at(0), 0);
  EXPECT_EQ(r.multipliers.size(), 0);
}

TEST(Constraints, ReachTargetsAtFeasiblePointsOnly) {
  const Result r = minimize(half_space, {3, 3}, 1, with_constraints(1, {.ftarget = 0.5, .maxfevals = 3000}));
  EXPECT_FALSE(r.success);
  EXPECT_NE(r.stop, StopReason::ftarget);
  EXPECT_NEAR(r.fun, 1, 1e-4);
}

TEST(Constraints, SayWhichOneCannotBeMet) {
  const auto impossible = [](const Vector& x) {
    return Evaluation{.f = x.sum(), .g = {x.squaredNorm() - 9, 1 + x.squaredNorm()}};
  };
  for (const char* mode : {"auto", "lexicographic"}) {
    SCOPED_TRACE(mode);
    const Result r =
        minimize(impossible, {2, 2}, 1, with_constraints(2, {.constraints_mode = mode, .maxfevals = 4000}));
    EXPECT_FALSE(r.success);
    EXPECT_FALSE(r.feasible);
    EXPECT_NEAR(r.violation, 1, 1e-2);
    EXPECT_TRUE(contains(r.message, "no feasible point: least violation 1")) << r.message;
    EXPECT_TRUE(contains(r.message, " of g[1]")) << r.message;
  }
}

TEST(Constraints, AreMetWhereFIsConstant) {
  const auto island = [](const Vector& x) { return Evaluation{.f = 7, .g = {(x.array() - 5).matrix().norm() - 0.1}}; };
  const Result r = minimize(island, {0, 0, 0}, 1, with_constraints(1, {.maxfevals = 3000}));
  EXPECT_TRUE(r.feasible) << r.message;
}

TEST(Constraints, SurviveHostileValues) {
  int calls = 0;
  const auto hostile = [&](const Vector& x) -> Evaluation {
    ++calls;
    Evaluation e{.f = x.squaredNorm(), .g = {1 - x[0], x[1] - 5}};
    if (calls % 7 == 0) e.g[1] = test::nan;
    if (calls % 5 == 0) e.g[0] = test::inf;
    if (calls % 11 == 0) e.f = -1e9, e.g[0] = test::inf;
    return e;
  };
  const Result r = minimize(hostile, {3, 3}, 1, with_constraints(2, {.maxfevals = 3000}));
  EXPECT_TRUE(r.feasible) << r.message;
  EXPECT_NEAR(r.fun, 1, 1e-3);
  EXPECT_GE(r.nfailed, r.nfev / 7);
  EXPECT_TRUE(contains(r.message, "the value of constraint 2 is NaN")) << r.message;
}

TEST(Constraints, AreAskedForTheirNumber) {
  EXPECT_TRUE(contains(rejection([] { minimize(half_space, {3, 3}, 1, {.seed = 1}); }), "constraints = 0"));
  const std::string message = rejection([] { minimize(half_space, {3, 3}, 1, with_constraints(2)); });
  EXPECT_TRUE(contains(message, "it must give 2")) << message;
  EXPECT_TRUE(contains(rejection([] { minimize(test::sphere, {3, 3}, 1, with_constraints(1)); }), "it must give 1"));
}

TEST(Constraints, RefuseOptionsThatMakeNoSense) {
  EXPECT_TRUE(contains(rejection([] { minimize(half_space, {3}, 1, with_constraints(-1)); }), "constraints = -1"));
  EXPECT_TRUE(contains(rejection([] { minimize(half_space, {3}, 1, {.constraints = 1, .equalities = -2}); }),
                       "equalities = -2"));
  EXPECT_TRUE(contains(
      rejection([] { minimize(half_space, {3}, 1, {.constraints = 1, .constraints_mode = "epsilon"}); }), "epsilon"));
  EXPECT_TRUE(
      contains(rejection([] { minimize(half_space, {3}, 1, {.constraints = 1, .equality_tolerance = test::nan}); }),
               "equality_tolerance"));
}

TEST(Constraints, KnowNoModel) {
  EXPECT_TRUE(contains(rejection([] {
                         minimize(half_space, {3, 3}, 1, with_constraints(1, {.model = "quadratic"}));
                       }),
                       "constraints"));
  Optimizer search({3, 3}, 1, with_constraints(1, {.evaluation_seconds = 10.0, .maxfevals = 100}));
  EXPECT_EQ(search.options().model, "none");
  EXPECT_EQ(Optimizer({3, 3}, 1, {.evaluation_seconds = 10.0, .maxfevals = 100}).options().model, "quadratic");
}

TEST(Constraints, GiveTheSameBitsToAnyNumberOfWorkers) {
  const Options options = with_constraints(1, {.maxfevals = 600});
  Options several = options;
  several.workers = 3;
  expect_same_search(minimize(half_space, {3, 3, 3}, 1, options), minimize(half_space, {3, 3, 3}, 1, several));
}

TEST(Constraints, AreToldByTheCallerWhoOwnsTheLoop) {
  const Options options = with_constraints(1, {.maxfevals = 600});
  Optimizer search({3, 3, 3}, 1, options);
  while (!search.stop()) {
    const Matrix population = search.ask();
    std::vector<Evaluation> evaluations;
    for (Index i = 0; i < population.cols(); ++i) evaluations.push_back(half_space(population.col(i)));
    if (search.nit() % 2 == 0) {
      search.tell(evaluations);
    } else {
      search.tell(population, evaluations);
    }
  }
  expect_same_search(search.result(), minimize(half_space, {3, 3, 3}, 1, options));
  EXPECT_TRUE(contains(rejection([&] {
                         Optimizer other({3, 3, 3}, 1, options);
                         other.ask();
                         other.tell(std::vector<Evaluation>(3));
                       }),
                       "3 numbers"));
}

TEST(Constraints, WorkWithNamesIntegersAndChoices) {
  Space space;
  const auto width = space.real("width", {.low = 0.1, .high = 10, .log = true});
  const auto plies = space.integer("plies", {.low = 1, .high = 20});
  const auto kind = space.choice("kind", {"steel", "wood"});
  const auto beam = [&](const Values& v) -> Evaluation {
    const double price = v[kind].name() == "steel" ? 3 : 1;
    const double strength = v[kind].name() == "steel" ? 10 : 1;
    return {.f = price * v[width] * static_cast<double>(v[plies]),
            .g = {12 - strength * v[width] * static_cast<double>(v[plies] * v[plies])}};
  };
  const Result r = minimize(beam, space, with_constraints(1, {.maxfevals = 8000}));
  EXPECT_TRUE(r.feasible) << r.message;
  EXPECT_LE(r.constraints.at(0), 0);
  EXPECT_LE(r.fun, 1.21);  // 1.1 with 11 plies of wood, 1.2 with 3 or 4 of steel
}

TEST(Constraints, AreWrittenToTheTrace) {
  std::vector<Record> records;
  Options options = with_constraints(1, {.maxiter = 20});
  options.observer = [&](const Record& record) { records.push_back(record); };
  minimize(half_space, {3, 3, 3}, 1, options);
  ASSERT_FALSE(records.empty());
  const Measures& last = records.back().measures;
  for (const char* name : {"violation", "feasible", "g[0]", "multiplier g[0]", "penalty g[0]"}) {
    EXPECT_TRUE(std::isfinite(last[name])) << name;
  }
}

// Checkpoints.

/// Saves and loads after every generation, and in the middle of it.
Result with_interruptions(const auto& f, const Point& x0, const Sigma0& sigma0, const Options& options) {
  auto search = std::make_unique<Optimizer>(x0, sigma0, options);
  const auto reload = [&] {
    std::stringstream bytes;
    search->save(bytes);
    search = std::make_unique<Optimizer>(x0, sigma0, options);
    search->load(bytes);
  };
  while (!search->stop()) {
    for (const Index i : search->generation().open_candidates()) {
      search->generation().set(i, f(Vector(search->generation().population().col(i))));
      if (i == 2) reload();
    }
    search->tell();
    if (!search->stop()) reload();
  }
  return search->result();
}

TEST(Constraints, GoOnBitForBitAfterAKill) {
  for (const char* mode : {"auto", "augmented-lagrangian", "lexicographic"}) {
    SCOPED_TRACE(mode);
    const Options options = with_constraints(1, {.bounds = {Vector{{-5, -5, -5}}, Vector{{5, 5, 5}}},
                                                 .constraints_mode = mode,
                                                 .maxfevals = 2500,
                                                 .restarts = "same:3",
                                                 .tolfun = 1e-5,
                                                 .tolfunhist = 1e-5,
                                                 .tolx = 1e-3});
    const Result whole = minimize(half_space, {3, 3, 3}, 1, options);
    EXPECT_GT(whole.runs.size(), 1U);
    expect_same_search(with_interruptions(half_space, {3, 3, 3}, 1, options), whole);
  }
}

TEST(Constraints, GoOnBitForBitInTheFinalPhase) {
  const auto corner = [](const Vector& x) { return Evaluation{.f = x.sum(), .g = {-x[0], -x[1], -x[2]}}; };
  Options options = with_constraints(3, {.restarts = "none"});
  const Result whole = minimize(corner, {3, 3, 3}, 1, options);
  EXPECT_TRUE(whole.feasible) << whole.message;
  expect_same_search(with_interruptions(corner, {3, 3, 3}, 1, options), whole);
}

TEST(Constraints, AreKeptInJournals) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "constraints_journal";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const SessionFiles files{.checkpoint = (folder / "run.sf").string(), .checkpoint_every = "1000"};
  Options options = with_constraints(1, {.maxfevals = 300, .restarts = "none"});
  const Result whole = minimize(half_space, {3, 3}, 1, options);
  const std::filesystem::path copy = folder / "copy";
  int calls = 0;
  Session({3, 3}, 1, options, files).minimize([&](const Vector& x) {
    if (++calls == 150) {  // the files as a kill would leave them
      std::filesystem::create_directory(copy);
      for (const char* file : {"run.sf", "run.sf.journal"}) std::filesystem::copy_file(folder / file, copy / file);
    }
    return half_space(x);
  });
  EXPECT_EQ(calls, 300);
  int more = 0;
  const SessionFiles copies{.checkpoint = (copy / "run.sf").string()};
  const Result resumed = Session({3, 3}, 1, options, copies).minimize([&](const Vector& x) {
    ++more;
    return half_space(x);
  });
  expect_same_search(resumed, whole);
  EXPECT_EQ(more, 300 - 149);
  std::filesystem::remove_all(folder);
}

TEST(Constraints, OfACheckpointMustBeTheSame) {
  const auto state_of = [](const Options& options) { return Optimizer({3, 3}, 1, options).state(); };
  const auto load = [&](const Options& into, const Options& from) {
    return rejection([&] { Optimizer({3, 3}, 1, into).set_state(state_of(from)); });
  };
  EXPECT_TRUE(contains(load({.method = "cma", .seed = 1}, with_constraints(1)), "it has constraints"));
  EXPECT_TRUE(contains(load(with_constraints(1), {.method = "cma", .seed = 1}), "it has no constraints"));
  EXPECT_TRUE(contains(load(with_constraints(1), with_constraints(2)), "constraints"));
  EXPECT_TRUE(contains(load(with_constraints(1), with_constraints(1, {.constraints_mode = "lexicographic"})),
                       "constraints_mode"));
}

}  // namespace
}  // namespace surefoot
