// Every stop criterion, met by an objective made for it, with its sentence.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "search/stop/median.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using test::sphere;

/// Switches off all criteria but those of a test, so that no other one comes first.
Options only(Options options) {
  const Options wanted = options;
  options = without_tolerances(options);
  options.tolconditioncov = wanted.tolconditioncov.value_or(0);
  options.tolfun = wanted.tolfun == Options{}.tolfun ? 0 : wanted.tolfun;
  options.tolfunhist = wanted.tolfunhist == Options{}.tolfunhist ? 0 : wanted.tolfunhist;
  options.tolupsigma = wanted.tolupsigma == Options{}.tolupsigma ? 0 : wanted.tolupsigma;
  options.tolx = wanted.tolx == Options{}.tolx ? 0 : wanted.tolx;
  options.tolstagnation = wanted.tolstagnation.value_or(0);
  options.tolflatfitness = wanted.tolflatfitness == Options{}.tolflatfitness ? 0 : wanted.tolflatfitness;
  options.maxiter = 100000;
  options.seed = 1;
  return options;
}

void expect_stop(const Result& result, StopReason reason, const char* words) {
  EXPECT_EQ(result.stop, reason) << result.message;
  EXPECT_NE(result.message.find(words), std::string::npos) << result.message;
}

TEST(StopCriteria, Tolx) {
  const Result result = minimize(sphere, {3, 3, 3}, 2, only({.tolx = 1e-3}));
  expect_stop(result, StopReason::tolx, "tolx = 0.001");
  EXPECT_TRUE(result.success);
  EXPECT_LT(result.stds.maxCoeff(), 2e-3);
  EXPECT_GT(result.stds.maxCoeff(), 1e-5);
}

TEST(StopCriteria, TolxDoesNotDependOnTheScaleOfX) {
  const Result large = minimize(sphere, {3e9, 3e9}, 2e9, only({.tolx = 1e-4}));
  const Result small = minimize(sphere, {3e-9, 3e-9}, 2e-9, only({.tolx = 1e-4}));
  EXPECT_EQ(large.nit, small.nit);
}

TEST(StopCriteria, Tolfun) {
  const Result result = minimize(sphere, {3, 3, 3}, 2, only({.tolfun = 1e-4}));
  expect_stop(result, StopReason::tolfun, "tolfun = 0.0001");
  EXPECT_LT(result.fun, 1e-3);
  EXPECT_GT(result.fun, 1e-12);
}

/// A bowl whose values are exact to 1e-9 only, as those of a solver of differential equations.
double unresolved_bowl(const Vector& x) {
  return 7 + (x.array() - 1).square().sum() + 1e-9 * std::sin(1e12 * x.dot(Vector::LinSpaced(x.size(), 1, 2)));
}

TEST(StopCriteria, TolfunEndsWhereTheFunctionResolvesNoMore) {
  for (const char* method : {"ig-xnes", "cma", "xnes", "snes", "dx-nes"}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Result result = minimize(unresolved_bowl, {3, 3, 3, 3}, 1, {.method = method, .seed = seed});
      expect_stop(result, StopReason::tolfun, "as far as the function resolves them, and get no lower (tolfun)");
      EXPECT_TRUE(result.success) << method;
      EXPECT_LT(result.fun, 7 + 1e-8) << method;
      EXPECT_LT(result.nfev, 4000) << method << ", seed " << seed;
    }
  }
}

TEST(StopCriteria, WhatIsResolvedIsSearchedFurther) {
  const auto exact = [](const Vector& x) { return 7 + (x.array() - 1).square().sum(); };
  for (const char* method : {"ig-xnes", "cma", "xnes", "snes", "dx-nes"}) {
    const Result result = minimize(exact, {3, 3, 3, 3}, 1, {.method = method, .seed = 1});
    EXPECT_EQ(result.message.find("resolves"), std::string::npos) << method << ": " << result.message;
    EXPECT_LT(result.fun, 7 + 1e-10) << method;
  }
  const Result off = minimize(unresolved_bowl, {3, 3, 3, 3}, 1,
                              {.maxfevals = 8000, .model = "none", .restarts = "none", .seed = 1, .tolfun = 0});
  EXPECT_EQ(off.message.find("resolves"), std::string::npos) << off.message;
}

TEST(StopCriteria, Tolfunhist) {
  const Result result = minimize(sphere, {3, 3, 3}, 2, only({.tolfunhist = 1e-4}));
  expect_stop(result, StopReason::tolfunhist, "tolfunhist = 0.0001");
}

TEST(StopCriteria, Tolupsigma) {
  const Result result = minimize([](const Vector& x) { return x[0]; }, {0, 0}, 1, only({.tolupsigma = 1e3}));
  expect_stop(result, StopReason::tolupsigma, "> tolupsigma = 1e+03");
  EXPECT_FALSE(result.success);
}

TEST(StopCriteria, Tolconditioncov) {
  const Result result = minimize([](const Vector& x) { return x[0] * x[0] + 1e12 * x[1] * x[1]; }, {3, 3}, 1,
                                 only({.tolconditioncov = 1e4}));
  expect_stop(result, StopReason::tolconditioncov, "tolconditioncov = 1e+04");
}

/// Only where a model may have made the condition and other runs follow.
TEST(StopCriteria, TolconditioncovDependsOnModelAndRestarts) {
  const auto limit = [](const Options& options) { return Optimizer({3, 3}, 1, options).options().tolconditioncov; };
  EXPECT_EQ(limit({}), 1e14);
  EXPECT_EQ(limit({.model = "quadratic", .restarts = "none"}), 1e14);
  EXPECT_EQ(limit({.model = "none", .restarts = "bipop"}), 1e14);
  EXPECT_EQ(limit({.model = "quadratic", .restarts = "bipop"}), 1e10);
  EXPECT_EQ(limit({.model = "quadratic", .restarts = "bipop", .tolconditioncov = 1e14}), 1e14);
}

TEST(StopCriteria, Tolflatfitness) {
  const Result result = minimize([](const Vector&) { return 7.0; }, {3, 3}, 1, only({.tolflatfitness = 4}));
  expect_stop(result, StopReason::tolflatfitness, "5 generations in a row are equal, f = 7");
  EXPECT_EQ(result.nit, 5);
}

/// Flat within a unit of the start: the search widens until it sees a slope.
TEST(Plateau, AFlatStartIsLeft) {
  const auto far = [](const Vector& x) { return std::min(4.0, (x - Vector{{3, 0}}).squaredNorm()); };
  for (const char* method : {"xnes", "ig-xnes", "cma"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Result result = minimize(far, {0, 0}, 0.1, {.method = method, .seed = seed});
      EXPECT_TRUE(result.success) << method << ", seed " << seed << ": " << result.message;
      EXPECT_LT(result.fun, 1e-9) << method << ", seed " << seed;
    }
  }
}

TEST(Plateau, EveryFlatGenerationWidens) {
  Optimizer search({3, 3}, 1, {.evaluate_x0 = false, .popsize = 6, .seed = 1});
  for (int t = 1; t <= 10; ++t) {
    search.ask();
    search.tell(Vector::Constant(6, 7));
    EXPECT_NEAR(search.distribution().sigma(), std::pow(1.5, t), 1e-9);
    EXPECT_EQ(search.distribution().mean, (Vector{{3, 3}}));
  }
}

TEST(Plateau, EndsAfterThirtyGenerationsWithASentence) {
  const Result result = minimize([](const Vector&) { return 7.0; }, {3, 3}, 1, {.popsize = 6, .seed = 1});
  expect_stop(result, StopReason::tolflatfitness, "plateau: all values of 31 generations");
  EXPECT_EQ(result.nfev, 1 + 31 * 6);
  EXPECT_FALSE(result.success);
}

/// Steps are no convergence. This search once ended as converged after 72 evaluations, far above the lowest step.
TEST(Plateau, StepsAreClimbedDown) {
  const auto steps = [](const Vector& x) { return (2 * x.array().abs()).floor().sum(); };
  for (const char* method : {"xnes", "ig-xnes", "cma"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Result result = minimize(steps, {9, 9, 9}, 1, {.method = method, .seed = seed});
      EXPECT_EQ(result.fun, 0) << method << ", seed " << seed << ": " << result.message;
      EXPECT_FALSE(result.success) << method << ", seed " << seed;
      EXPECT_EQ(result.message.find("converged"), std::string::npos) << method << ": " << result.message;
    }
  }
}

/// Differences between probabilities of 1e-12 must count, however small they are.
TEST(StopCriteria, TolerancesFollowTheScaleOfTheValues) {
  for (const double scale : {1e-9, 1e-20}) {
    const Result result =
        minimize([scale](const Vector& x) { return scale * sphere(x); }, {3, 3}, 1, {.method = "ig-xnes", .seed = 1});
    EXPECT_TRUE(result.success) << result.message;
    EXPECT_LT(result.fun, 1e-9 * scale);
  }
}

/// The start is in a hole that the run does not see: it converges to the wide valley beside.
double with_hole(const Vector& x) {
  const double in_hole = (x.array() - 3).matrix().squaredNorm() - 1;
  return in_hole < -0.99 ? in_hole : sphere(x) + 10;
}

TEST(StopCriteria, ConvergedElsewhereIsNoSuccess) {
  for (const char* method : {"xnes", "ig-xnes", "cma"}) {
    const Result result = minimize(with_hole, {3, 3}, 2, {.method = method, .restarts = "none", .seed = 1});
    EXPECT_FALSE(result.success) << method;
    EXPECT_EQ(result.fun, -1) << method;
    EXPECT_NE(result.message.find("to f = 10; but an earlier sample was better: best f = -1"), std::string::npos)
        << method << ": " << result.message;
    EXPECT_LT(result.xfavorite.norm(), 1e-3) << method;
  }
}

TEST(StopCriteria, ConvergedElsewhereIsFollowedByARunAroundTheBest) {
  for (const char* method : {"xnes", "ig-xnes", "cma"}) {
    const Result result =
        minimize(with_hole, {3.03, 3}, 0.8, {.maxfevals = 20000, .method = method, .restarts = "same:1", .seed = 2});
    ASSERT_GE(result.runs.size(), 2U) << method;
    EXPECT_NEAR(result.runs[0].fun, -1, 0.01) << method;
    EXPECT_NEAR(result.runs[1].sigma_factor, 0.1, 1e-12) << method << ": a tenth of what it was found with";
    EXPECT_NEAR(result.runs[1].fun, -1, 1e-9) << method;
    EXPECT_TRUE(result.x.isApprox(Vector{{3, 3}}, 1e-4)) << method;
  }
}

TEST(Median, IsTheMiddleOfTheSortedNumbers) {
  for (const Index count : {1, 2, 3, 10, 64, 301}) {
    for (const double step : {0.0, 0.5, 1e-9}) {  // many equal numbers, and few
      Matrix random(count, 1);
      CounterNormals(static_cast<std::uint64_t>(count)).fill(0, random);
      Vector numbers = random.col(0);
      if (step > 0) numbers = (numbers / step).array().round();
      if (step == 0) numbers.setConstant(3);
      Vector sorted = numbers;
      std::sort(sorted.begin(), sorted.end());
      for (const int most_rounds : {0, 1, 2, 64}) {
        Vector shuffled = numbers;
        EXPECT_EQ(median(shuffled, count, most_rounds), sorted[count / 2])
            << count << " " << step << " " << most_rounds;
      }
      EXPECT_EQ(median(sorted, count), sorted[count / 2]) << count << " " << step << ", sorted";
    }
  }
}

TEST(StopCriteria, Tolstagnation) {
  test::RandomValues random(4);
  Optimizer search({3, 3}, 1, only({.popsize = 6, .tolstagnation = 50}));
  while (!search.stop()) {
    search.ask();
    search.tell(random(search.popsize()));
  }
  expect_stop(search.result(), StopReason::tolstagnation, "last 50 steps");
  EXPECT_GE(search.result().nit, 100);
}

/// ig-xNES goes slowly on rugged ground, because the ranking says little there; this is no stagnation.
TEST(StopCriteria, PatienceIsNoStagnation) {
  const Problem& rastrigin = find_problem("rastrigin");
  for (const Index d : {5, 10}) {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const Result r = minimize(rastrigin, Vector::Constant(d, rastrigin.start), rastrigin.sigma0,
                                {.ftarget = 1e-8, .method = "ig-xnes", .restarts = "none", .seed = seed});
      if (r.success) ++solved;
      EXPECT_NE(r.stop, StopReason::tolstagnation) << d << " " << seed;
      EXPECT_NE(r.stop, StopReason::maxiter) << d << " " << seed;
    }
    EXPECT_GE(solved, 7) << d;
  }
}

TEST(StopCriteria, PureNoiseStagnatesAfterAWhile) {
  test::RandomValues random(4);
  Optimizer search(Vector::Zero(10), 1, {.seed = 1});
  while (!search.stop()) {
    search.ask();
    search.tell(random(search.popsize()));
  }
  EXPECT_EQ(search.stop_reason(), StopReason::tolstagnation);
  EXPECT_LT(search.nfev(), 300000);
}

/// A long test for stagnation looks at some of the steps only. What it says is the same.
TEST(StopCriteria, TolstagnationThinsLongHistories) {
  test::RandomValues random(5);
  Options options = only({});
  options.method = "snes:eta_sigma=1e-9";
  options.popsize = 4;
  options.tolstagnation = 20000;
  Optimizer search(Vector::Zero(2), 1, options);
  while (!search.stop() && search.nit() < 60000) {
    search.ask();
    search.tell(random(search.popsize()));
  }
  EXPECT_EQ(search.stop_reason(), StopReason::tolstagnation);
  EXPECT_GE(search.nit(), 40000);
  EXPECT_LT(search.nit(), 50000);
  EXPECT_LT(search.state().size(), 300000U);
}

TEST(StopCriteria, NoeffectaxisAndNoeffectcoord) {
  Options options = only({});
  options.noeffectaxis = true;
  const auto shifted = [](const Vector& x) { return (x.array() - 1).matrix().squaredNorm(); };
  expect_stop(minimize(shifted, {3, 3}, 2, options), StopReason::noeffectaxis, "axis");
  options.noeffectaxis = false;
  options.noeffectcoord = true;
  expect_stop(minimize(shifted, {3, 3}, 2, options), StopReason::noeffectcoord, "coordinate");
}

TEST(StopCriteria, Timeout) {
  const auto slow = [](const Vector& x) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return sphere(x);
  };
  const auto begin = std::chrono::steady_clock::now();
  const Result result = minimize(slow, {3, 3}, 2, {.popsize = 1000, .seed = 1, .timeout = 0.1});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  expect_stop(result, StopReason::timeout, "timeout = 0.1 s");
  EXPECT_LT(elapsed.count(), 5) << "a generation of 20 s was finished";
  EXPECT_GT(result.nfev, 0) << "what was evaluated counts";
  EXPECT_EQ(result.fun, sphere(result.x));
}

TEST(StopCriteria, Callback) {
  const Result result =
      minimize(sphere, {3, 3}, 2, {.callback = [](const Record& r) { return r.generation == 7; }, .seed = 1});
  expect_stop(result, StopReason::callback, "callback");
  EXPECT_EQ(result.nit, 7);
}

TEST(StopCriteria, Interrupt) {
  int calls = 0;
  const Result result = minimize(
      [&](const Vector& x) {
        ++calls;
        return sphere(x);
      },
      {3, 3}, 2, {.interrupt = [&] { return calls >= 10; }, .popsize = 8, .seed = 1});
  expect_stop(result, StopReason::interrupted, "interrupted");
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(result.nfev, 10);
}

TEST(StopCriteria, DefaultsEndASearchWithoutAnyOption) {
  const Result zero = minimize(sphere, {3, 3, 3}, 2, {.seed = 1});
  EXPECT_TRUE(zero.success) << zero.message;
  EXPECT_LT(zero.fun, 1e-10);
  const Result shifted = minimize([](const Vector& x) { return (x.array() - 5).matrix().squaredNorm() + 3; },
                                  Vector::Zero(5), 1, {.seed = 1});
  EXPECT_TRUE(shifted.success) << shifted.message;
  EXPECT_NEAR(shifted.fun, 3, 1e-9);
}

}  // namespace
}  // namespace surefoot
