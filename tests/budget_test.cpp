// maxfevals is what it says, and a search goes on bit for bit from any stage: known points, populations, the close.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <vector>

#include "driver/checkpoint/checkpointer.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using test::sphere;

Vector squares_of(const Matrix& points) { return points.colwise().squaredNorm().transpose(); }

class Budgets : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, Budgets, testing::Values("xnes", "ig-xnes", "cma"),
                         [](const auto& test) { return test::name_of(test.param); });

/// Every evaluation of the budget is used. The last generation is the mean, and as many samples as are left.
TEST_P(Budgets, AreUsedToTheLastEvaluation) {
  for (const Index popsize : {2, 3, 5, 8, 20}) {
    for (std::int64_t budget = 1; budget <= 60; ++budget) {
      SCOPED_TRACE(testing::Message() << "popsize " << popsize << ", budget " << budget);
      Optimizer search(
          {3, -2}, 1,
          without_tolerances(
              {.maxfevals = budget, .method = GetParam(), .popsize = popsize, .restarts = "none", .seed = 1}));
      std::int64_t evaluated = 0;
      std::int64_t populations = 0;
      Matrix last;
      while (!search.stop()) {
        const Index announced = search.popsize();
        last = search.ask();
        ASSERT_EQ(last.cols(), announced);
        ASSERT_LE(last.cols(), popsize);
        if (last.cols() == popsize && evaluated + popsize < budget) ++populations;
        evaluated += last.cols();
        search.tell(squares_of(last));
      }
      EXPECT_EQ(evaluated, budget);
      EXPECT_EQ(search.nfev(), budget);
      EXPECT_EQ(search.stop_reason(), StopReason::maxfevals);
      EXPECT_EQ(populations, std::max<std::int64_t>(0, (budget - 2) / popsize));
      if (populations > 0) {
        EXPECT_EQ(last.col(0), search.distribution().mean) << "evaluated last";
      }
    }
  }
}

TEST_P(Budgets, AreSharedByRestarts) {
  for (const std::int64_t budget : {500, 997, 2000, 3001}) {
    int calls = 0;
    const Result result = minimize(
        [&](const Vector& x) {
          ++calls;
          return find_problem("rastrigin").value(x.data(), x.size());
        },
        {3, 3}, 0.5, {.maxfevals = budget, .method = GetParam(), .restarts = "bipop", .seed = 3});
    EXPECT_EQ(calls, budget);
    EXPECT_EQ(result.nfev, budget);
    std::int64_t total = 0;
    for (const RunSummary& run : result.runs) total += run.nfev;
    EXPECT_EQ(total, budget);
  }
}

TEST_P(Budgets, MayBeRaisedAfterwards) {
  const Options options{.maxfevals = 100, .method = GetParam(), .popsize = 6, .restarts = "none", .seed = 2};
  Optimizer first({3, 3}, 1, options);
  while (!first.stop()) first.tell(squares_of(first.ask()));
  std::stringstream file;
  first.save(file);
  Options more = options;
  more.maxfevals = 203;
  Optimizer second({3, 3}, 1, more);
  second.load(file);
  EXPECT_EQ(second.nfev(), 100);
  while (!second.stop()) second.tell(squares_of(second.ask()));
  EXPECT_EQ(second.nfev(), 203);
  EXPECT_LT(second.result().fun, first.result().fun);
}

TEST(Budget, TooSmallForTheKnownPointsTakesTheFirstOfThem) {
  const std::vector<Vector> points = {Vector{{2, 2}}, Vector{{1, 0}}, Vector{{9, 9}}};
  const auto options = [&](std::int64_t budget) {
    return Options{.inject = points, .maxfevals = budget, .popsize = 6, .restarts = "none", .seed = 1};
  };
  Optimizer small({3, 3}, 1, options(2));
  EXPECT_EQ(small.ask().cols(), 2);
  small.tell(squares_of(small.ask()));
  EXPECT_EQ(small.result().x, points[0]);
  // With a larger budget the others follow, as if it had been there from the start.
  Optimizer larger({3, 3}, 1, options(50));
  larger.set_state(small.state());
  EXPECT_EQ(larger.generation().size(), 4);
  EXPECT_EQ(larger.generation().count_set(), 2);
  for (Index i = 2; i < 4; ++i) larger.generation().set(i, sphere(larger.ask().col(i)));
  larger.tell();
  Optimizer whole({3, 3}, 1, options(50));
  whole.tell(squares_of(whole.ask()));
  while (!whole.stop()) {
    ASSERT_EQ(whole.ask(), larger.ask());
    larger.tell(squares_of(larger.ask()));
    whole.tell(squares_of(whole.ask()));
  }
  EXPECT_EQ(larger.nfev(), 50);
  EXPECT_EQ(larger.result().runs[0].nfev, 50);
}

Options staged(const char* method) {
  return {.bounds = Bounds::all(-5, 5),
          .inject = {Vector{{4, 4}}, Vector{{1, -2}}},
          .maxfevals = 60,
          .method = method,
          .popsize = 8,
          .restarts = "none",
          .seed = 7};
}

/// Evaluates one candidate after the other until so many are done.
void evaluate(Optimizer& search, std::int64_t evaluations) {
  while (!search.stop() && evaluations > 0) {
    Generation& generation = search.generation();
    for (Index i = 0; i < generation.size() && evaluations > 0; ++i) {
      if (!generation.is_open(i)) continue;
      generation.set(i, sphere(generation.population().col(i)));
      --evaluations;
    }
    if (generation.is_complete()) search.tell();
  }
}

void expect_equal(const Result& a, const Result& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_TRUE(a.fun == b.fun || (std::isnan(a.fun) && std::isnan(b.fun))) << a.fun << " and " << b.fun;
  EXPECT_EQ(a.nfev, b.nfev);
  EXPECT_EQ(a.nit, b.nit);
  EXPECT_EQ(a.xfavorite, b.xfavorite);
  EXPECT_EQ(a.stds, b.stds);
  EXPECT_EQ(a.message, b.message);
}

/// 3 known points, 6 populations of 8 and the close: saved after every evaluation of them.
TEST_P(Budgets, CanBeInterruptedAtAnyEvaluation) {
  Optimizer whole({3, 3}, 1, staged(GetParam()));
  evaluate(whole, 1000);
  ASSERT_EQ(whole.nfev(), 60);
  for (std::int64_t moment = 0; moment <= 60; ++moment) {
    SCOPED_TRACE(moment);
    Optimizer first({3, 3}, 1, staged(GetParam()));
    evaluate(first, moment);
    std::stringstream file;
    first.save(file);
    Optimizer second({3, 3}, 1, staged(GetParam()));
    second.load(file);
    expect_equal(second.result(), first.result());
    evaluate(second, 1000);
    expect_equal(second.result(), whole.result());
  }
}

TEST_P(Budgets, CanBeKilledAtAnyEvaluation) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / (std::string("surefoot-budget-test-") + GetParam());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  Optimizer whole({3, 3}, 1, staged(GetParam()));
  evaluate(whole, 1000);
  for (const int every : {1, 3, 1000}) {
    for (std::int64_t moment = 0; moment < 60; ++moment) {
      SCOPED_TRACE(testing::Message() << "killed after " << moment << ", saved every " << every);
      const std::filesystem::path file = folder / "run.sf";
      {
        Optimizer first({3, 3}, 1, staged(GetParam()));
        Checkpointer checkpointer(file, {.generations = every}, {"about", ""});
        checkpointer.watch(first);
        for (std::int64_t i = 0; i < moment; ++i) {
          const std::int64_t told = first.told();
          evaluate(first, 1);
          if (first.told() > told) checkpointer.after_generation();
        }
      }
      Optimizer second({3, 3}, 1, staged(GetParam()));
      const Checkpoint checkpoint = read_checkpoint(file);
      second.set_state(checkpoint.state);
      Journal(file).replay(second, checkpoint.sum);
      EXPECT_EQ(second.result().nfev, moment);
      evaluate(second, 1000);
      expect_equal(second.result(), whole.result());
    }
  }
  std::filesystem::remove_all(folder);
}

TEST(Checkpoint, OfOtherKnownPointsIsRefused) {
  Optimizer first({3, 3}, 1, staged("xnes"));
  const auto load = [&](const Options& options) -> std::string {
    Optimizer other({3, 3}, 1, options);
    try {
      other.set_state(first.state());
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(load(staged("xnes")), "accepted");
  Options options = staged("xnes");
  options.inject[1][0] = 2;
  EXPECT_NE(load(options).find("known point"), std::string::npos) << load(options);
  options.inject.clear();
  EXPECT_NE(load(options).find("inject"), std::string::npos) << load(options);
  options = staged("xnes");
  options.evaluate_x0 = false;
  EXPECT_NE(load(options).find("evaluate_x0"), std::string::npos) << load(options);
}

}  // namespace
}  // namespace surefoot
