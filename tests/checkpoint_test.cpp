// Saved at any moment and loaded elsewhere, a search goes on bit for bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "driver/checkpoint/checkpointer.hpp"
#include "surefoot/method.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

Options options_of(const std::string& method, const char* restarts, std::int64_t maxfevals) {
  Options options = test::options_of(method);
  options.bounds = Bounds::all(-5, 5);
  options.maxfevals = maxfevals;
  options.popsize = 8;
  options.restarts = restarts;
  options.seed = 4;
  return options;
}

Vector start() { return Vector::Constant(3, 3); }

/// In as many dimensions as the method needs.
Vector start_of(const Options& options) {
  const MethodInfo& row = find_method(choose_method(options.method, options.learning_rate).method);
  return Vector::Constant(std::max<Index>(3, row.smallest_dimension), 3);
}

/// Evaluates up to `evaluations` candidates, wherever in a generation that ends.
void advance(Optimizer& search, int evaluations) {
  const Problem& problem = find_problem("rastrigin");
  while (!search.stop() && evaluations > 0) {
    Generation& generation = search.generation();
    for (Index i = 0; i < generation.size() && evaluations > 0; ++i) {
      if (!generation.is_open(i)) continue;
      const Vector x = generation.population().col(i);
      if (x[0] > 4) {
        generation.fail(i, FailureKind::crash, "beyond 4");
      } else {
        generation.set(i, problem.value(x.data(), x.size()));
      }
      --evaluations;
    }
    if (generation.is_complete()) search.tell();
  }
}

void expect_same(const Result& a, const Result& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_TRUE(a.fun == b.fun || (std::isnan(a.fun) && std::isnan(b.fun))) << a.fun << " and " << b.fun;
  EXPECT_EQ(a.nfev, b.nfev);
  EXPECT_EQ(a.nfailed, b.nfailed);
  EXPECT_EQ(a.nit, b.nit);
  EXPECT_EQ(a.xfavorite, b.xfavorite);
  EXPECT_EQ(a.stop, b.stop);
  EXPECT_EQ(a.runs.size(), b.runs.size());
}

class Checkpoints : public testing::TestWithParam<std::tuple<std::string, const char*>> {};
INSTANTIATE_TEST_SUITE_P(
    , Checkpoints, testing::Combine(testing::ValuesIn(test::all_methods()), testing::Values("none", "ipop", "bipop")),
    [](const auto& test) { return test::name_of(std::get<0>(test.param) + "_" + std::get<1>(test.param)); });

void expect_to_continue(const Options& options, std::initializer_list<int> moments) {
  Optimizer whole(start_of(options), 2, options);
  advance(whole, 1 << 30);
  for (const int moment : moments) {
    Optimizer first(start_of(options), 2, options);
    advance(first, moment);
    std::stringstream file;
    first.save(file);
    Optimizer second(start_of(options), 2, options);
    second.load(file);
    expect_same(second.result(), first.result());
    advance(second, 1 << 30);
    expect_same(second.result(), whole.result());
  }
}

TEST_P(Checkpoints, ContinueBitForBit) {
  const auto [method, restarts] = GetParam();
  expect_to_continue(options_of(method, restarts, 1000), {0, 1, 7, 8, 9, 333});
  expect_to_continue(options_of(method, restarts, 12000), {9, 4000, 4003, 11999});
}

Options with_generations(Options options, std::int64_t maxiter) {
  options.maxfevals.reset();
  options.maxiter = maxiter;
  return options;
}

TEST_P(Checkpoints, GoOnWithALargerBudgetAsIfItHadBeenThere) {
  const auto [method, restarts] = GetParam();
  const Options options = options_of(method, restarts, 1);
  Optimizer whole(start_of(options), 2, with_generations(options, 500));
  advance(whole, 1 << 30);
  Optimizer first(start_of(options), 2, with_generations(options, 125));
  advance(first, 1 << 30);
  ASSERT_NE(first.stop_reason(), StopReason::none);
  std::stringstream file;
  first.save(file);
  Optimizer second(start_of(options), 2, with_generations(options, 500));
  second.load(file);
  advance(second, 0);
  while (!second.stop()) {
    if (second.generation().is_complete()) second.tell();
    advance(second, 1 << 30);
  }
  expect_same(second.result(), whole.result());
}

/// Goes on with 4000 evaluations after so many of a search for 1000.
Result extended_after(int evaluations) {
  Optimizer first(start(), 2, options_of("ig-xnes", "none", 1000));
  advance(first, evaluations);
  std::stringstream file;
  first.save(file);
  Optimizer second(start(), 2, options_of("ig-xnes", "none", 4000));
  second.load(file);
  if (second.generation().is_complete()) second.tell();
  advance(second, 1 << 30);
  return second.result();
}

TEST(Checkpoint, KeepsThePlanOfItsStart) {
  Optimizer planned_for_4000(start(), 2, options_of("ig-xnes", "none", 4000));
  advance(planned_for_4000, 1 << 30);
  const Result result = extended_after(1 << 30);
  EXPECT_GT(result.nfev, 1000);
  expect_same(extended_after(0), extended_after(333));
  // The smaller budget ended with evaluations that nothing was learned from; the course is the same.
  EXPECT_EQ(result.xfavorite, extended_after(333).xfavorite);
  EXPECT_NE(result.xfavorite, planned_for_4000.result().xfavorite);
}

TEST(Checkpoint, OfAnotherSearchIsRefused) {
  Optimizer search(start(), 2, options_of("lra", "none", 1000));
  advance(search, 100);
  std::stringstream file;
  search.save(file);
  const auto load = [&](const Vector& x0, const Options& options) -> std::string {
    Optimizer other(x0, 2, options);
    std::istringstream in(file.str());
    try {
      other.load(in);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(load(start(), options_of("lra", "none", 1000)), "accepted");
  EXPECT_NE(load(start(), options_of("fixed", "none", 1000)).find("learning_rate"), std::string::npos);
  EXPECT_NE(load(start(), options_of("lra", "ipop", 1000)).find("restarts"), std::string::npos);
  EXPECT_NE(load(Vector::Constant(3, 2), options_of("lra", "none", 1000)).find("x0"), std::string::npos);
  EXPECT_NE(load(Vector::Constant(4, 3), options_of("lra", "none", 1000)).find("x0"), std::string::npos);
  EXPECT_NE(load(start(), options_of("cma", "none", 1000)).find("method"), std::string::npos);
  Options other_seed = options_of("lra", "none", 1000);
  other_seed.seed = 5;
  EXPECT_NE(load(start(), other_seed).find("seed"), std::string::npos);
}

TEST(Checkpoint, KeepsADrawnSeed) {
  Options options = options_of("fixed", "none", 1000);
  options.seed.reset();
  Optimizer first(start(), 2, options);
  advance(first, 50);
  std::stringstream file;
  first.save(file);
  Optimizer second(start(), 2, options);
  second.load(file);
  EXPECT_EQ(first.seed(), second.seed());
  advance(first, 1 << 30);
  advance(second, 1 << 30);
  expect_same(first.result(), second.result());
}

TEST(Checkpoint, JournalHoldsWhatTheFileDoesNot) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "surefoot-journal-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "run.sf";
  const Options options = options_of("lra:frame=B", "ipop", 3000);
  Optimizer whole(start(), 2, options);
  advance(whole, 1 << 30);
  {
    Optimizer first(start(), 2, options);
    Checkpointer checkpointer(file, {.generations = 1000000}, {"about", ""});
    checkpointer.watch(first);
    advance(first, 1234);
  }  // as if killed here: FILE knows the start only
  {
    std::ofstream torn(file.string() + ".journal", std::ios::app | std::ios::binary);
    torn << "torn";
  }
  Optimizer second(start(), 2, options);
  const Checkpoint checkpoint = read_checkpoint(file);
  EXPECT_EQ(checkpoint.about, "about");
  second.set_state(checkpoint.state);
  EXPECT_EQ(second.result().nfev, 0);
  Journal(file).replay(second, checkpoint.sum);
  EXPECT_EQ(second.result().nfev, 1234);
  advance(second, 1 << 30);
  expect_same(second.result(), whole.result());
  std::filesystem::remove_all(folder);
}

TEST(Checkpoint, IntervalsAreRead) {
  EXPECT_EQ(parse_interval("20").generations, 20);
  EXPECT_EQ(parse_interval("2.5s").seconds, 2.5);
  for (const char* wrong : {"", "s", "0", "-1", "2.5", "5m", "nan", "1e300s"}) {
    EXPECT_THROW(parse_interval(wrong), std::invalid_argument) << wrong;
  }
}

TEST(WarmStart, TakesTheDistributionOfASavedSearch) {
  Optimizer first({3, 3, 3}, 2, {.learning_rate = "lra", .maxiter = 30, .seed = 1});
  while (!first.stop()) first.tell(first.ask().colwise().squaredNorm().transpose());
  const Start saved = distribution_of_state(first.state());
  EXPECT_EQ(saved.mean, first.distribution().mean);
  EXPECT_EQ(saved.factor, first.distribution().factor);
  Optimizer second(saved, {.seed = 2});
  EXPECT_NEAR(second.distribution().sigma() / first.distribution().sigma(), 1, 1e-14);
  Optimizer fixed({0, 0}, 1, {.bounds = {Vector{{0, -1}}, Vector{{0, 1}}}});
  EXPECT_THROW(distribution_of_state(fixed.state()), std::invalid_argument);
  EXPECT_THROW(distribution_of_state("nonsense"), std::invalid_argument);
}

TEST(WarmStart, PassesFromOneStrategyToAnother) {
  for (const auto& [from, to] : {std::pair("cma", "xnes"), std::pair("xnes", "cma")}) {
    Optimizer first({3, 3, 3}, {1, 2, 4}, {.maxiter = 30, .method = from, .seed = 1});
    while (!first.stop()) first.tell(first.ask().colwise().squaredNorm().transpose());
    const Optimizer second(distribution_of_state(first.state()), {.method = to, .seed = 2});
    EXPECT_TRUE(second.distribution().covariance().isApprox(first.distribution().covariance(), 1e-13));
  }
}

TEST(WarmStart, TakesAFullCovariance) {
  Matrix covariance(2, 2);
  covariance << 4, 1.2, 1.2, 1;
  const Start distribution = Start::with_covariance(Vector{{3, 3}}, covariance);
  EXPECT_TRUE(distribution.covariance().isApprox(covariance, 1e-14));
  EXPECT_NEAR(std::pow(distribution.sigma(), 4), covariance.determinant(), 1e-14);
  Optimizer search(distribution, {.ftarget = 1e-8, .seed = 1});
  while (!search.stop()) search.tell(search.ask().colwise().squaredNorm().transpose());
  EXPECT_TRUE(search.result().success);
  Matrix indefinite = covariance;
  indefinite(0, 0) = -1;
  EXPECT_THROW(Start::with_covariance(Vector{{3, 3}}, indefinite), std::invalid_argument);
}

}  // namespace
}  // namespace surefoot
