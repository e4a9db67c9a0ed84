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

/// What observers get of a search: generations with the covariance's condition.
std::vector<std::pair<std::int64_t, double>> conditions_of(Index d, std::int64_t split) {
  std::vector<std::pair<std::int64_t, double>> conditions;
  Options options = test::options_of("cma");
  options.seed = 26;
  options.restarts = "none";
  options.observer = [&](const Record& r) {
    if (r.generation == 0) return;
    if (!conditions.empty() && conditions.back().first == r.generation) conditions.pop_back();  // learned only now
    conditions.emplace_back(r.generation, r.condition);
  };
  const Vector x0 = Vector::Constant(d, 1.0);
  const auto run = [&](std::int64_t maxiter, std::stringstream* from, std::stringstream* to) {
    options.maxiter = maxiter;
    Optimizer search(x0, 1, options);
    if (from != nullptr) search.load(*from);
    while (!search.stop()) {
      const Matrix& points = search.ask();
      search.tell(Vector(points.colwise().squaredNorm().transpose()));
    }
    if (to != nullptr) search.save(*to);
  };
  std::stringstream file;
  if (split > 0) run(split, nullptr, &file);
  run(12, split > 0 ? &file : nullptr, nullptr);
  return conditions;
}

/// From d = 40 on the condition is not measured in every generation.
TEST(MeasuredConditions, AreTheSameWhateverGenerationABudgetEnds) {
  for (const Index d : {40, 61}) {
    const auto whole = conditions_of(d, 0);
    ASSERT_EQ(whole.size(), 12U);
    for (std::int64_t split = 1; split < 12; ++split) {
      const auto parts = conditions_of(d, split);
      ASSERT_EQ(parts.size(), whole.size());
      for (std::size_t k = 0; k < whole.size(); ++k) {
        const bool is_same = parts[k] == whole[k] || (std::isnan(parts[k].second) && std::isnan(whole[k].second));
        EXPECT_TRUE(is_same) << "d = " << d << ", split at " << split << ", generation " << whole[k].first;
      }
    }
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

/// A state that a callback saves is that after the generation, also where a run or the search ends.
void expect_to_continue_from_callbacks(Options options) {
  struct Saved {
    std::int64_t run;
    std::string state;
  };
  std::vector<Saved> saved;
  const Optimizer* present = nullptr;
  options.callback = [&](const Record& record) {
    saved.push_back({record.run, present->state()});
    return false;
  };
  Optimizer whole(start_of(options), 2, options);
  present = &whole;
  advance(whole, 1 << 30);
  options.callback = {};
  for (std::size_t k = 0; k < saved.size(); ++k) {
    const bool is_last_of_run = k + 1 == saved.size() || saved[k + 1].run != saved[k].run;
    if (!is_last_of_run) continue;
    SCOPED_TRACE(testing::Message() << "saved after generation " << k << " of " << saved.size());
    Optimizer second(start_of(options), 2, options);
    second.set_state(saved[k].state);
    advance(second, 1 << 30);
    expect_same(second.result(), whole.result());
    EXPECT_EQ(second.result().message, whole.result().message);
  }
}

TEST_P(Checkpoints, OfCallbacksContinueBitForBit) {
  const auto [method, restarts] = GetParam();
  Options options = options_of(method, restarts, 4000);
  options.tolx = 0.03;
  expect_to_continue_from_callbacks(options);
  options.maxfevals.reset();
  options.maxiter = 3;
  expect_to_continue_from_callbacks(options);
}

TEST(Checkpoint, OfCallbacksWithAModelContinuesBitForBit) {
  for (const char* restarts : {"none", "bipop", "ipop:1"}) {
    SCOPED_TRACE(restarts);
    Options options = options_of("auto", restarts, 1000);
    options.model = "quadratic";
    expect_to_continue_from_callbacks(options);
    options.maxfevals.reset();
    options.maxiter = 3;
    expect_to_continue_from_callbacks(options);
  }
}

/// The search, and the state at its end, are what they would be without the exception.
TEST(Checkpoint, AfterACallbackThatThrowsGoesOnBitForBit) {
  for (const char* model : {"none", "quadratic"}) {
    Options options = options_of("auto", "ipop", 1500);
    options.model = model;
    Optimizer whole(start(), 2, options);
    advance(whole, 1 << 30);
    ASSERT_GT(whole.result().runs.size(), 1U);
    options.callback = [](const Record& /*record*/) -> bool { throw std::runtime_error("no room on the screen"); };
    Optimizer search(start(), 2, options);
    while (!search.stop()) EXPECT_THROW(advance(search, 1 << 30), std::runtime_error);
    expect_same(search.result(), whole.result());
    Optimizer copy(start(), 2, options);
    copy.set_state(search.state());
    expect_same(copy.result(), whole.result());
  }
}

TEST(Checkpoint, OfASearchStoppedByItsCallbackWhereARunEndsGoesOn) {
  const Options options = options_of("cma", "ipop", 4000);
  Optimizer whole(start(), 2, options);
  advance(whole, 1 << 30);
  const std::int64_t end_of_run = whole.result().runs.front().nit;
  ASSERT_GT(whole.result().runs.size(), 1U);
  Options stopping = options;
  stopping.callback = [end_of_run](const Record& record) { return record.generation == end_of_run; };
  Optimizer first(start(), 2, stopping);
  advance(first, 1 << 30);
  ASSERT_EQ(first.stop_reason(), StopReason::callback);
  Optimizer second(start(), 2, options);
  second.set_state(first.state());
  advance(second, 1 << 30);
  expect_same(second.result(), whole.result());
}

TEST(Checkpoint, OfAFinishedSearchIsFinished) {
  const Options by_target{.ftarget = 60, .model = "none", .popsize = 6, .seed = 3};
  Options by_values{.maxiter = 12, .model = "quadratic", .seed = 3};
  const Options by_evaluations = options_of("auto", "none", 50);
  for (Options options : {by_target, by_values, by_evaluations, options_of("snes", "bipop", 700)}) {
    Optimizer first(start(), 2, options);
    advance(first, 1 << 30);
    ASSERT_TRUE(first.stop());
    int told = 0;
    options.callback = [&told](const Record& /*record*/) { return ++told < 0; };
    Optimizer second(start(), 2, options);
    second.set_state(first.state());
    expect_same(second.result(), first.result());
    EXPECT_EQ(second.result().message, first.result().message);
    EXPECT_EQ(second.result().success, first.result().success);
    EXPECT_EQ(second.state().size(), first.state().size());
    EXPECT_EQ(told, 0) << "of what the first search was told";
  }
}

/// What is complete and not told is told only if it ends the search.
TEST(Checkpoint, OfACompleteGenerationWaitsToBeTold) {
  const Options options = options_of("xnes", "none", 4000);
  Optimizer first(start(), 2, options);
  advance(first, 17);
  Generation& generation = first.generation();
  for (const Index i : generation.open_candidates()) generation.set(i, 1e3 + static_cast<double>(i));
  Optimizer second(start(), 2, options);
  second.set_state(first.state());
  EXPECT_EQ(second.nit(), first.nit());
  EXPECT_EQ(second.nfev(), first.nfev());
  first.tell();
  second.tell();
  EXPECT_EQ(second.ask(), first.ask());
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
