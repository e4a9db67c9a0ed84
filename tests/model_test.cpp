// The model as an option of the search: fewer evaluations, and everything else as without it.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "folder_test.hpp"
#include "surefoot/session.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

double ellipsoid(const Vector& x) {
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) {
    sum += std::pow(1e6, static_cast<double>(i) / static_cast<double>(x.size() - 1)) * x[i] * x[i];
  }
  return sum;
}

/// No function of x, but the same for the same x.
double noise(const Vector& x) {
  double phase = 0;
  for (const double number : x) phase = std::sin(1e4 * number + 7 * phase);
  return phase;
}

Options modelled(std::uint64_t seed = 1) { return {.model = "quadratic", .restarts = "none", .seed = seed}; }

using Function = double (*)(const Vector&);

Result solve(Function f, const std::string& method, const std::string& model, std::uint64_t seed) {
  Options options{.ftarget = 1e-8, .maxfevals = 20000, .method = method, .model = model, .restarts = "none"};
  options.seed = seed;
  options.tolfun = 0;  // to the target, whatever the model promises
  return minimize(f, Vector::Constant(5, 2), 1, options);
}

TEST(Model, SavesEvaluations) {
  struct Case {
    const char* method;
    Function f;
    double share;  // of the evaluations without it
  };
  const std::vector<Case> cases = {{"cma", test::sphere, 0.2},     {"cma", ellipsoid, 0.2},
                                   {"cma", test::rosenbrock, 0.7}, {"ig-xnes", test::sphere, 0.2},
                                   {"ig-xnes", ellipsoid, 0.2},    {"ig-xnes", test::rosenbrock, 0.8}};
  for (const Case& c : cases) {
    double with = 0;
    double without = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Result result = solve(c.f, c.method, "quadratic", seed);
      EXPECT_EQ(result.stop, StopReason::ftarget) << c.method << ": " << result.message;
      with += static_cast<double>(result.nfev);
      without += static_cast<double>(solve(c.f, c.method, "none", seed).nfev);
    }
    EXPECT_LT(with, c.share * without) << c.method << " " << with << " " << without;
  }
}

TEST(Model, RefusesNonsense) {
  const auto refusal = [](const Options& options, Index d = 2) {
    try {
      Optimizer(Vector::Zero(d), 1, options);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal({.model = "cubic"}).find("auto, none or quadratic"), std::string::npos);
  EXPECT_NE(refusal({.batch = -1}).find("batch"), std::string::npos);
  EXPECT_NE(refusal({.model = "quadratic"}, 41).find("at most 40"), std::string::npos);
  EXPECT_EQ(refusal({.model = "quadratic"}, 40), "");
  for (const MethodInfo& method : method_table()) {
    const Options options{.method = method.name, .model = "quadratic"};
    EXPECT_EQ(refusal(options, 6).find("changes its popsize") != std::string::npos, method.sets_popsize) << method.name;
  }
}

TEST(Model, EndsARunWhenItPromisesNothing) {
  const Result result = minimize(test::sphere, {3, 3, 3}, 1, modelled());
  EXPECT_EQ(result.stop, StopReason::model) << result.message;
  EXPECT_TRUE(result.success);
  EXPECT_LT(result.fun, 1e-9);
  EXPECT_LT(result.nfev, 100);
  Options endless = modelled();
  endless.tolfun = 0;
  EXPECT_NE(minimize(test::sphere, {3, 3, 3}, 1, endless).stop, StopReason::model);
}

/// Both coordinates have deviations of 7e-9, which a mean of 1000 resolves; along the short axis it is 1e-13.
TEST(Model, EndsARunThatRoundingMoves) {
  Matrix axes(2, 2);
  axes << 1e-8, 1e-13, 1e-8, -1e-13;
  const Start start = Start::with_covariance(Vector{{1000, 1000}}, axes * axes.transpose() / 2);
  const auto f = [](const Vector& x) { return std::abs(x[0] - x[1]) + std::pow(x[0] - 1, 2); };
  Options options{.maxiter = 5, .method = "cma", .model = "quadratic", .restarts = "none", .seed = 1};
  const auto end_of = [&] {
    Optimizer search(start, options);
    SerialEvaluator evaluator(f);
    return run(search, evaluator);
  };
  const Result end = end_of();
  EXPECT_EQ(end.stop, StopReason::noeffectcoord);
  EXPECT_NE(end.message.find("coordinate 0, with all others given"), std::string::npos) << end.message;
  options.noeffectcoord = false;
  EXPECT_EQ(end_of().stop, StopReason::maxiter);
}

/// Everything that callers see is counted and compared with what the objective was really asked.
TEST(Model, TellsTrueValuesAndCounts) {
  std::int64_t calls = 0;
  double best = test::inf;
  const auto f = [&](const Vector& x) {
    ++calls;
    best = std::min(best, test::rosenbrock(x));
    return test::rosenbrock(x);
  };
  Options options = modelled();
  options.maxiter = 30;
  options.noise = "none";  // a repeat has no ranking by the model
  std::int64_t generations = 0;
  options.observer = [&](const Record& record) {
    EXPECT_EQ(record.nfev, calls);
    EXPECT_EQ(record.best, best);
    EXPECT_EQ(record.generation, generations++);
    if (record.generation == 0) return;
    EXPECT_GE(record.measures["evaluated"], 1);
    EXPECT_LE(record.measures["evaluated"], static_cast<double>(record.popsize));
    if (record.measures["evaluated"] < static_cast<double>(record.popsize)) {
      EXPECT_GE(record.measures["tau"], 0.85);
    }
  };
  const Result result = minimize(f, {0, 0, 0}, 1, options);
  EXPECT_EQ(result.nit, 30);
  EXPECT_EQ(result.nfev, calls);
  EXPECT_EQ(result.fun, best);
  EXPECT_EQ(test::rosenbrock(result.x), best);
}

TEST(Model, CountsTheRoundThatReachesTheTarget) {
  Options options = modelled();
  options.ftarget = 1e-8;
  std::int64_t before = 0;
  options.observer = [&](const Record& record) {
    EXPECT_EQ(record.measures["evaluated"], static_cast<double>(record.nfev - before));
    before = record.nfev;
  };
  EXPECT_EQ(minimize(test::rosenbrock, {0, 0, 0}, 1, options).nfev, before);
}

TEST(Model, NeverExceedsTheBudget) {
  for (std::int64_t budget = 1; budget <= 60; ++budget) {
    std::int64_t calls = 0;
    const auto f = [&](const Vector& x) {
      ++calls;
      return test::rosenbrock(x);
    };
    Options options{.batch = 1 + static_cast<int>(budget % 3), .maxfevals = budget, .model = "quadratic", .seed = 1};
    const Result result = minimize(f, {0, 0, 0, 0}, 1, options);
    EXPECT_EQ(calls, budget);
    EXPECT_EQ(result.nfev, budget);
    EXPECT_EQ(result.stop, StopReason::maxfevals) << result.message;
  }
}

TEST(Model, KeepsBounds) {
  Options options = modelled();
  options.bounds = {Vector::Constant(4, 0.5), Vector::Constant(4, 5)};
  options.maxfevals = 400;
  const auto f = [&](const Vector& x) {
    EXPECT_GE(x.minCoeff(), 0.5);
    EXPECT_LE(x.maxCoeff(), 5);
    return ellipsoid(x);
  };
  const Result result = minimize(f, {3, 3, 3, 3}, 1, options);
  const double optimum = ellipsoid(Vector::Constant(4, 0.5));
  EXPECT_NEAR(result.fun, optimum, 1e-6 * optimum) << result.message;
  options.model = "none";
  EXPECT_LE(result.fun, minimize(f, {3, 3, 3, 3}, 1, options).fun);
}

TEST(Model, SurvivesFailures) {
  for (const double bad : {test::nan, test::inf, -test::inf}) {
    int calls = 0;
    const auto f = [&](const Vector& x) { return ++calls % 5 == 0 ? bad : test::sphere(x); };
    Options options = modelled();
    options.ftarget = 1e-8;
    options.maxfevals = 2000;
    const Result result = minimize(f, {3, 3, 3}, 1, options);
    EXPECT_EQ(result.stop, StopReason::ftarget) << bad << ": " << result.message;
    EXPECT_LT(result.nfev, 200);
  }
  const auto never = [](const Vector& /*x*/) { return test::nan; };
  EXPECT_EQ(minimize(never, {3, 3, 3}, 1, modelled()).stop, StopReason::failing);
}

TEST(Model, TellsFailuresByTheirPlaceInThePopulation) {
  const auto half = [](const Vector& x) { return x[0] > 0 ? test::nan : test::sphere(x); };
  Options options = modelled();
  options.maxiter = 10;
  std::int64_t failures = 0;
  options.observer = [&](const Record& record) {
    for (const Failure& failure : record.failures) EXPECT_LT(failure.candidate, record.popsize);
    failures += static_cast<std::int64_t>(record.failures.size());
  };
  EXPECT_EQ(minimize(half, {-0.1, 0, 0}, 1, options).nfailed, failures);
  EXPECT_GT(failures, 0);
}

TEST(Model, RemembersInjectedPoints) {
  Options options = modelled();
  options.ftarget = 1e-8;
  const std::int64_t plain = minimize(ellipsoid, {3, 3, 3}, 1, options).nfev;
  for (Index i = 0; i < 14; ++i) {
    Vector x = Vector::Constant(3, 3);
    x[i % 3] += 0.3 * static_cast<double>(1 + i);
    x[(i + 1) % 3] -= 0.2 * static_cast<double>(1 + i % 4);
    options.inject.push_back(x);
  }
  // With 15 known points a model of 10 terms exists from the first generation on.
  const std::int64_t informed = minimize(ellipsoid, {3, 3, 3}, 1, options).nfev - 14;
  EXPECT_GE(plain, 2 * informed);
}

TEST(Model, DoesNotExplodeOnNoise) {
  for (const char* method : {"cma", "ig-xnes"}) {
    Options options = without_tolerances(modelled());
    options.method = method;
    options.maxfevals = 5000;
    Optimizer search(Vector::Constant(5, 3), 1, options);
    while (!search.stop()) {
      const Matrix& points = search.ask();
      Vector values(points.cols());
      for (Index i = 0; i < values.size(); ++i) values[i] = noise(points.col(i));
      search.tell(values);
    }
    EXPECT_LT(search.strategy().distribution().sigma(), 20) << method;
  }
}

TEST(Model, AsksForOneRoundAtATime) {
  Options options = modelled();
  options.batch = 2;
  options.evaluate_x0 = false;
  Optimizer search({3, 3, 3, 3}, 1, options);
  std::int64_t told = 0;
  std::int64_t nfev = 0;
  for (int round = 0; round < 20 && !search.stop(); ++round) {
    const Index expected = search.popsize();
    const Matrix points = search.ask();
    EXPECT_EQ(points.cols(), expected);
    EXPECT_EQ(search.ask(), points);
    EXPECT_EQ(search.told(), told++);
    Vector values(points.cols());
    for (Index i = 0; i < values.size(); ++i) values[i] = test::rosenbrock(points.col(i));
    search.tell(values);
    EXPECT_EQ(search.nfev(), nfev += points.cols());
  }
  EXPECT_LT(search.nit(), told);
}

TEST(Model, TakesCandidatesThatTheCallerHasChanged) {
  Optimizer search({3, 3, 3}, 1, modelled());
  for (int round = 0; round < 200 && !search.stop(); ++round) {
    Matrix points = search.ask();
    points.row(0) = points.row(0).array().round();
    Vector values(points.cols());
    for (Index i = 0; i < values.size(); ++i) values[i] = test::sphere(points.col(i));
    search.tell(points, values);
  }
  EXPECT_LT(search.result().fun, 1e-8);
  EXPECT_EQ(search.result().x[0], std::round(search.result().x[0]));
}

TEST(Model, GivesTheSameForAnyNumberOfWorkers) {
  Options options{.batch = 4, .maxfevals = 300, .model = "quadratic", .seed = 3};
  const Result one = minimize(test::rosenbrock, {0, 0, 0, 0}, 1, options);
  options.workers = 4;
  const Result four = minimize(test::rosenbrock, {0, 0, 0, 0}, 1, options);
  EXPECT_EQ(one.x, four.x);
  EXPECT_EQ(one.fun, four.fun);
  EXPECT_EQ(one.nit, four.nit);
}

TEST(Model, FindsSumsOverTheCoordinates) {
  const auto rastrigin = [](const Vector& x) {
    double sum = 0;
    for (const double t : x) sum += 10 + (t - 1) * (t - 1) - 10 * std::cos(2 * M_PI * (t - 1));
    return sum;
  };
  const Result result =
      minimize(rastrigin, {3, 3, 3}, 2, {.ftarget = 1e-8, .maxfevals = 6000, .model = "quadratic", .seed = 1});
  EXPECT_EQ(result.stop, StopReason::ftarget) << result.message;
  const Result single = minimize(rastrigin, {3, 3, 3}, 2, modelled());
  EXPECT_EQ(single.runs.size(), 1);
}

/// A search that is saved and loaded after every round, and before, is the search that never was.
class Resumed : public testing::TestWithParam<const char*> {};

Vector values_at(const Matrix& points, int& calls) {
  Vector values(points.cols());
  for (Index i = 0; i < values.size(); ++i) values[i] = ++calls % 11 == 0 ? test::nan : ellipsoid(points.col(i));
  return values;
}

TEST_P(Resumed, GoesOnBitForBit) {
  Options options{.batch = 2, .maxfevals = 400, .method = GetParam(), .model = "quadratic", .seed = 2};
  options.bounds = {Vector::Constant(3, -1), Vector::Constant(3, 4)};
  Optimizer straight({3, 3, 3}, 1, options);
  Optimizer broken({3, 3, 3}, 1, options);
  int calls = 0;
  int others = 0;
  while (!straight.stop()) {
    ASSERT_EQ(straight.ask(), broken.ask());
    straight.tell(values_at(straight.ask(), calls));
    Optimizer second({3, 3, 3}, 1, options);
    std::stringstream before;
    broken.save(before);
    second.load(before);
    second.tell(values_at(second.ask(), others));
    std::stringstream after;
    second.save(after);
    Optimizer third({3, 3, 3}, 1, options);
    third.load(after);
    broken = std::move(third);
  }
  if (!broken.stop()) broken.tell();  // the end of a budget is no part of the state
  EXPECT_TRUE(broken.stop());
  EXPECT_EQ(straight.result().x, broken.result().x);
  EXPECT_EQ(straight.result().nit, broken.result().nit);
}

/// The end of a budget, of evaluations or of generations, is none for a search that goes on with a larger one.
TEST_P(Resumed, GoesOnWithALargerBudget) {
  Options options{.method = GetParam(), .model = "quadratic", .restarts = "none", .seed = 2};
  options.maxfevals = 90;
  const Result whole = minimize(test::rosenbrock, {0, 0, 0}, 1, options);
  for (std::int64_t part = 1; part < 90; part += 4) {
    Options smaller = options;
    smaller.maxiter = part;
    Optimizer first({0, 0, 0}, 1, smaller);
    Function f = test::rosenbrock;
    const auto evaluator = make_evaluator<Function>(f, 1);
    run(first, *evaluator);
    Optimizer second({0, 0, 0}, 1, options);
    second.set_state(first.state());
    const Result result = run(second, *evaluator);
    EXPECT_EQ(result.x, whole.x) << part;
    EXPECT_EQ(result.nfev, whole.nfev) << part;
    EXPECT_EQ(result.nit, whole.nit) << part;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Resumed, testing::Values("cma", "ig-xnes", "xnes"),
                         [](const auto& method) { return test::name_of(method.param); });

namespace fs = std::filesystem;

using test::content;

class ModelSession : public test::FolderTest {};

/// Files as they are when a process dies in the middle of an evaluation, again and again.
TEST_F(ModelSession, SurvivesItsDeathAtAnyEvaluation) {
  Options options{.maxfevals = 150, .model = "quadratic", .seed = 5};
  options.failures.rethrow = true;
  const auto files_of = [&](const std::string& life) {
    return SessionFiles{.checkpoint = file(life + ".sf"), .checkpoint_every = "7", .trace = file(life + ".jsonl")};
  };
  const Result whole = Session({0, 0, 0}, 1, options, files_of("whole")).minimize(test::rosenbrock);
  int calls = 0;
  Result result;
  int life = 0;
  for (; life < 100 && result.nfev == 0; ++life) {
    const std::string name = std::to_string(life);
    int here = 0;
    const auto f = [&](const Vector& x) {
      if (++here > 9) {
        for (const char* end : {".sf", ".sf.journal", ".jsonl"}) {
          fs::copy_file(folder_ / (name + end), folder_ / (std::to_string(life + 1) + end));
        }
        throw std::runtime_error("killed");
      }
      ++calls;
      return test::rosenbrock(x);
    };
    try {
      result = Session({0, 0, 0}, 1, options, files_of(name)).minimize(f);
    } catch (const std::runtime_error&) {
    }
  }
  EXPECT_GT(life, 10);
  EXPECT_EQ(result.x, whole.x);
  EXPECT_EQ(result.nfev, whole.nfev);
  EXPECT_EQ(calls, whole.nfev);
  EXPECT_EQ(content(files_of(std::to_string(life - 1)).trace), content(files_of("whole").trace));
}

}  // namespace
}  // namespace surefoot
