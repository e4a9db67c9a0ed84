// Objectives that fail in every way a function can.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "driver/telling_line.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using test::inf;

using test::sphere;

/// A number in [0, 1) that depends on x alone, so that threads and retries cannot matter.
double hash(const Vector& x) {
  const double h = std::sin(x.sum() * 12345.678) * 43758.5453;
  return h - std::floor(h);
}

Options quick() { return {.ftarget = 1e-6, .maxfevals = 100000, .seed = 1}; }

TEST(HostileObjective, ThrowsAtRandom) {
  const auto f = [](const Vector& x) {
    if (hash(x) < 0.3) throw std::runtime_error("the simulator fell over");
    return sphere(x);
  };
  Options options = quick();
  std::vector<Failure> failures;
  options.observer = [&](const Record& r) { failures.insert(failures.end(), r.failures.begin(), r.failures.end()); };
  const Result result = minimize(f, {3, 3, 3}, 2, options);
  EXPECT_TRUE(result.success) << result.message;
  EXPECT_GT(result.nfailed, result.nfev / 5);
  ASSERT_EQ(static_cast<std::int64_t>(failures.size()), result.nfailed);
  EXPECT_EQ(failures[0].kind, FailureKind::exception);
  EXPECT_EQ(failures[0].reason, "the simulator fell over");
}

TEST(HostileObjective, ThrowsWhatIsNoException) {
  const Result result = minimize([](const Vector&) -> double { throw 42; }, {3, 3}, 2, quick());
  EXPECT_EQ(result.stop, StopReason::failing);
  EXPECT_NE(result.message.find("not derived from std::exception"), std::string::npos) << result.message;
  EXPECT_EQ(result.nit, 3);
}

TEST(HostileObjective, IsNanThirtyPercent) {
  const auto f = [](const Vector& x) { return hash(x) < 0.3 ? std::nan("") : sphere(x); };
  const Result result = minimize(f, {3, 3, 3}, 2, quick());
  EXPECT_TRUE(result.success) << result.message;
  EXPECT_GT(result.nfailed, 0);
}

TEST(HostileObjective, IsInfiniteButForAThinValley) {
  const auto f = [](const Vector& x) { return std::abs(x[0] - x[1]) < 0.5 ? sphere(x) : inf; };
  const Result result = minimize(f, {3, 3}, 1, quick());
  EXPECT_TRUE(result.success) << result.message;
  EXPECT_EQ(result.nfailed, 0) << "infeasible is no failure";
}

TEST(HostileObjective, IsInfiniteEverywhere) {
  Options options = quick();
  options.popsize = 6;
  const Result result = minimize([](const Vector&) { return inf; }, {3, 3}, 1, options);
  EXPECT_EQ(result.stop, StopReason::infeasible);
  EXPECT_EQ(result.nfev, 1 + 3 * 6) << "not the whole budget";
  EXPECT_EQ(result.fun, inf);
  EXPECT_EQ(result.nfailed, 0);
  EXPECT_FALSE(result.success);
  EXPECT_NE(result.message.find("3 generations in a row without a finite value, all +infinity"), std::string::npos)
      << result.message;
}

/// Finite within a thousandth of the start's deviations: the search narrows until it finds such points again.
TEST(HostileObjective, IsInfiniteAllAroundTheStart) {
  const auto f = [](const Vector& x) { return (x.array() - 3).matrix().norm() < 0.01 ? x[0] : inf; };
  Options options{.failures = {.generations = 20}, .method = "cma", .seed = 1};
  const Result result = minimize(f, {3, 3}, 1, options);
  EXPECT_NE(result.stop, StopReason::infeasible) << result.message;
  EXPECT_LT(result.fun, 2.9905);
}

TEST(HostileObjective, IsMinusInfinity) {
  const auto f = [](const Vector& x) { return x[0] < 0 ? -inf : x[0]; };
  const Result result = minimize(f, {3}, 1, {.maxiter = 30, .seed = 1});
  EXPECT_TRUE(std::isfinite(result.fun));
  EXPECT_GT(result.nfailed, 0);
}

TEST(HostileObjective, IsFlat) {
  const Result result = minimize([](const Vector&) { return 1.0; }, {3, 3}, 2, {.seed = 1});
  EXPECT_EQ(result.stop, StopReason::tolflatfitness);
  EXPECT_FALSE(result.success);
}

TEST(HostileObjective, IsDiscontinuous) {
  const auto f = [](const Vector& x) { return (x.array().abs() * 4).floor().sum(); };
  const Result result = minimize(f, {30, 30, 30}, 5, {.ftarget = 0, .maxfevals = 100000, .seed = 2});
  EXPECT_TRUE(result.success) << result.message;
}

TEST(FailurePolicy, RetriesAsOftenAsAsked) {
  std::set<double> seen;
  const auto f = [&](const Vector& x) {
    if (seen.insert(x[0]).second) throw std::runtime_error("the first time");
    return sphere(x);
  };
  Options options = quick();
  options.failures.retry = 1;
  options.noise = "none";  // a point that is evaluated again would not fail
  std::size_t attempts = 0;
  options.observer = [&](const Record& r) { attempts += r.failures.size(); };
  const Result result = minimize(f, {3, 3}, 2, options);
  EXPECT_TRUE(result.success) << result.message;
  EXPECT_EQ(result.nfailed, 0);
  EXPECT_EQ(static_cast<std::int64_t>(attempts), result.nfev) << "every failed attempt is told";
  seen.clear();
  options.failures.retry = 0;
  EXPECT_EQ(minimize(f, {3, 3}, 2, options).stop, StopReason::failing);
}

TEST(FailurePolicy, StopsWhenTooManyFail) {
  const auto f = [](const Vector& x) { return hash(x) < 0.5 ? std::nan("") : sphere(x) + 1; };
  Options options = quick();
  options.failures.fraction = 0.2;
  const Result result = minimize(f, {3, 3}, 2, options);
  EXPECT_EQ(result.stop, StopReason::failing);
  EXPECT_NE(result.message.find("more than the fraction 0.2"), std::string::npos) << result.message;
}

TEST(FailurePolicy, StopsAfterGenerationsWithoutSuccess) {
  Options options = quick();
  options.failures.generations = 5;
  const Result result = minimize([](const Vector&) { return std::nan(""); }, {3, 3}, 2, options);
  EXPECT_EQ(result.stop, StopReason::failing);
  EXPECT_EQ(result.nit, 5);
  EXPECT_TRUE(std::isnan(result.fun));
}

/// Fails all candidates, from the first or from the last one on.
class Hopeless : public Evaluator {
 public:
  explicit Hopeless(bool backwards) : backwards_(backwards) {}
  void evaluate(Generation& generation) override {
    std::vector<Index> open = generation.open_candidates();
    if (backwards_) std::reverse(open.begin(), open.end());
    for (const Index i : open) generation.fail(i, FailureKind::exit, "reason " + std::to_string(i));
  }

 private:
  bool backwards_;
};

/// Workers finish in any order, so the last failure is that of the last candidate.
TEST(FailurePolicy, NamesTheSameReasonInWhateverOrderCandidatesFail) {
  for (const bool is_fraction : {false, true}) {
    Options options{.failures = {.retry = 1}, .popsize = 60, .seed = 1};
    if (is_fraction) options.failures.fraction = 0.1;
    Hopeless forwards(false);
    Hopeless backwards(true);
    const Result result = minimize_with(forwards, {3, 3}, 2, options);
    EXPECT_EQ(result.stop, StopReason::failing);
    EXPECT_NE(result.message.find("the last one: exit, reason 59"), std::string::npos) << result.message;
    EXPECT_EQ(minimize_with(backwards, {3, 3}, 2, options).message, result.message);
  }
}

TEST(FailurePolicy, RethrowsIfAsked) {
  Options options = quick();
  options.failures.rethrow = true;
  EXPECT_THROW(minimize([](const Vector&) -> double { throw std::out_of_range("x"); }, {3, 3}, 2, options),
               std::out_of_range);
}

TEST(FailurePolicy, IsChecked) {
  EXPECT_THROW(Optimizer({1}, 1, {.failures = {.retry = -1}}), std::invalid_argument);
  EXPECT_THROW(Optimizer({1}, 1, {.failures = {.generations = 0}}), std::invalid_argument);
  EXPECT_THROW(Optimizer({1}, 1, {.failures = {.fraction = 1.5}}), std::invalid_argument);
  EXPECT_THROW(Optimizer({1}, 1, {.workers = 0}), std::invalid_argument);
}

TEST(Workers, GiveTheSameTrace) {
  const auto f = [](const Vector& x) {
    if (hash(x) < 0.1) throw std::runtime_error("now and then");
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(50 * hash(2 * x))));
    return find_problem("rosenbrock")(std::span<const double>(x.data(), static_cast<std::size_t>(x.size())));
  };
  const auto trace = [&](int workers) {
    std::vector<double> numbers;
    Options options{.maxiter = 60, .observer = {}, .popsize = 16, .seed = 5, .workers = workers};
    options.observer = [&](const Record& r) {
      numbers.insert(numbers.end(), {std::isnan(r.best) ? -1 : r.best, r.sigma, r.condition});  // the start fails
      for (const Failure& failure : r.failures) numbers.push_back(static_cast<double>(failure.candidate));
    };
    minimize(f, {-1, 2, 0, 1}, 0.5, options);
    return numbers;
  };
  const std::vector<double> one = trace(1);
  EXPECT_EQ(one, trace(2));
  EXPECT_EQ(one, trace(8));
}

TEST(TellingLine, IsTheFirstAndTheLastOfManyLines) {
  EXPECT_EQ(telling_line("exit status 1: out of memory\n"), "exit status 1: out of memory");
  EXPECT_EQ(telling_line("exit status 1:\nTraceback (most recent call last):\n  File \"a.py\"\nValueError: no\n"),
            "exit status 1: ... ValueError: no");
  EXPECT_EQ(telling_line("exit status 1:\r\nwhy\r\n"), "exit status 1: why");
  EXPECT_EQ(telling_line(""), "");
  EXPECT_EQ(telling_line(" \n "), "");
}

TEST(TellingLine, CutsLongLinesBetweenCharacters) {
  const std::string ascii = telling_line("begin" + std::string(1000, '-') + "end");
  EXPECT_EQ(ascii.size(), 80 + 5 + 160U);
  EXPECT_TRUE(ascii.starts_with("begin---") && ascii.ends_with("---end")) << ascii;
  std::string accents;
  for (int i = 0; i < 500; ++i) accents += "\xC3\xA9";
  const std::string cut = telling_line("x" + accents);  // the 80th byte is within a character
  EXPECT_TRUE(cut.starts_with("x\xC3\xA9") && cut.find("\xA9 ... \xC3") != std::string::npos);
}

}  // namespace
}  // namespace surefoot
