// Every stop criterion, met by an objective made for it, with its sentence.

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "test_support.hpp"

namespace surefoot {
namespace {

using test::sphere;

/// Only the criteria of a test, so that no other one comes first.
Options only(Options options) {
  const Options wanted = options;
  options = without_tolerances(options);
  options.tolconditioncov = wanted.tolconditioncov == Options{}.tolconditioncov ? 0 : wanted.tolconditioncov;
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

TEST(StopCriteria, Tolflatfitness) {
  const Result result = minimize([](const Vector&) { return 7.0; }, {3, 3}, 1, only({.tolflatfitness = 4}));
  expect_stop(result, StopReason::tolflatfitness, "5 generations in a row are equal, f = 7");
  EXPECT_EQ(result.nit, 5);
}

TEST(StopCriteria, Tolstagnation) {
  test::RandomValues random(4);
  Optimizer search({3, 3}, 1, only({.popsize = 6, .tolstagnation = 50}));
  while (!search.stop()) {
    search.ask();
    search.tell(random(6));
  }
  expect_stop(search.result(), StopReason::tolstagnation, "last 50 steps");
  EXPECT_GE(search.result().nit, 100);
}

/// On rugged ground ig-xNES goes slowly since the ranking tells little, which is no stagnation.
TEST(StopCriteria, PatienceIsNoStagnation) {
  const Problem& rastrigin = find_problem("rastrigin");
  for (const Index d : {5, 10}) {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const Result r =
          minimize(rastrigin, Vector::Constant(d, rastrigin.start), rastrigin.sigma0, {.ftarget = 1e-8, .seed = seed});
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
