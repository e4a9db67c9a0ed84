#include <gtest/gtest.h>

#include <cmath>

#include "driver/restart_schedule.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

/// The better valley is far from the start, as in Schwefel's function, so most runs end in the other.
double two_valleys(const Vector& x) {
  const double near = x.squaredNorm();
  const double far = (x.array() - 4.2).matrix().squaredNorm();
  return std::min(near + 1, 2 * far);
}

TEST(Restarts, SolveRastriginWhereSingleRunsDoNot) {
  const Problem& problem = find_problem("rastrigin");
  int single = 0;
  int restarted = 0;
  std::size_t runs = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Options options{.bounds = Bounds::all(-5, 5),
                    .ftarget = 1e-8,
                    .maxfevals = 300000,
                    .method = "cma",
                    .restarts = "none",
                    .seed = seed};
    single += minimize(problem, Vector::Constant(5, 3), {}, options).success ? 1 : 0;
    options.restarts = "ipop";
    const Result result = minimize(problem, Vector::Constant(5, 3), {}, options);
    restarted += result.success ? 1 : 0;
    runs += result.runs.size();
    std::int64_t total = 0;
    for (const RunSummary& run : result.runs) total += run.nfev;
    EXPECT_EQ(total, result.nfev) << "the budget is shared";
  }
  EXPECT_LE(single, 2);
  EXPECT_EQ(restarted, 5);
  EXPECT_GT(runs, 5U);
}

// About one start in twelve is on the better valley's side.
TEST(Restarts, FindTheOtherValley) {
  for (const char* kind : {"none", "same:20", "bipop"}) {
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Options options{
          .bounds = Bounds::all(-5, 5), .ftarget = 1e-6, .maxfevals = 200000, .restarts = kind, .seed = seed};
      found += minimize(two_valleys, Vector::Constant(4, -3), 0.5, options).success ? 1 : 0;
    }
    if (std::string(kind) == "none") {
      EXPECT_EQ(found, 0);
    } else {
      EXPECT_GE(found, 3) << kind;
    }
  }
}

TEST(Restarts, IpopDoublesThePopsize) {
  RestartSchedule schedule("ipop:3", 10);
  EXPECT_EQ(schedule.first().popsize, 10);
  EXPECT_EQ(schedule.next(100, 0.5, 0.5)->popsize, 20);
  EXPECT_EQ(schedule.next(100, 0.5, 0.5)->popsize, 40);
  EXPECT_EQ(schedule.next(100, 0.5, 0.5)->popsize, 80);
  EXPECT_FALSE(schedule.next(100, 0.5, 0.5).has_value());
}

// By hand from [Hansen2009].
TEST(Restarts, BipopBalancesItsBudgets) {
  RestartSchedule schedule("bipop:2", 10);
  // The first run counts as small, so a large one follows: 2 * 10.
  auto plan = schedule.next(1000, 0.5, 0.5);
  EXPECT_EQ(plan->popsize, 20);
  EXPECT_EQ(plan->sigma_factor, 1);
  EXPECT_FALSE(plan->maxfevals.has_value());
  // 3000 in large runs against 1000 in small ones: small, 10 (20/2/10)^{u1^2} = 10, sigma 10^{-2 u2}.
  plan = schedule.next(3000, 0.5, 0.25);
  EXPECT_EQ(plan->popsize, 10);
  EXPECT_NEAR(plan->sigma_factor, std::pow(10, -0.5), 1e-15);
  EXPECT_EQ(plan->maxfevals, 1500);
  // 2500 small, still less than 3000: another small one.
  plan = schedule.next(1500, 0.9, 0);
  EXPECT_EQ(plan->popsize, 10);
  EXPECT_EQ(plan->sigma_factor, 1);
  // 4000 small: large, 4 * 10.
  plan = schedule.next(1500, 0.5, 0.5);
  EXPECT_EQ(plan->popsize, 40);
  // 10 000 large: small, floor(10 (40/2/10)^{0.81}) = 17.
  plan = schedule.next(7000, 0.9, 1);
  EXPECT_EQ(plan->popsize, 17);
  EXPECT_NEAR(plan->sigma_factor, 0.01, 1e-15);
  EXPECT_EQ(plan->maxfevals, 3500);
  // 12 000 small: the next large run would be the third.
  EXPECT_FALSE(schedule.next(8000, 0.5, 0.5).has_value());
}

TEST(Restarts, AreReadFromText) {
  EXPECT_EQ(Restarts("bipop:4").maximum, 4);
  EXPECT_EQ(Restarts("none").text(), "none");
  EXPECT_EQ(Restarts("ipop").text(), "ipop:9");
  EXPECT_THROW(Restarts("often"), std::invalid_argument);
  EXPECT_THROW(Restarts("ipop:"), std::invalid_argument);
  EXPECT_THROW(Restarts("ipop:-1"), std::invalid_argument);
  EXPECT_THROW(Restarts("ipop:2x"), std::invalid_argument);
}

TEST(Restarts, AreTheSameTwice) {
  const Options options{.maxfevals = 20000, .method = "xnes", .restarts = "bipop", .seed = 9};
  const Result one = minimize(find_problem("rastrigin"), Vector::Constant(3, 3), 2, options);
  const Result two = minimize(find_problem("rastrigin"), Vector::Constant(3, 3), 2, options);
  EXPECT_EQ(one.x, two.x);
  EXPECT_EQ(one.nfev, two.nfev);
  EXPECT_GT(one.runs.size(), 3U);
}

/// The budget of a small run is not that of the search.
TEST(Restarts, ThatAreUsedUpAreTold) {
  int small_ends = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Options options{.maxfevals = 100000, .method = "cma", .restarts = "bipop:2", .seed = seed};
    const Result result = minimize(test::sphere, {1, 2}, 1, options);
    ASSERT_LT(result.nfev, 100000);
    EXPECT_NE(result.stop, StopReason::maxfevals);
    EXPECT_TRUE(result.success);
    EXPECT_NE(result.message.find("restarts used: restarts = bipop:2"), std::string::npos) << result.message;
    small_ends += result.runs.back().stop == StopReason::maxfevals ? 1 : 0;
  }
  EXPECT_GT(small_ends, 0) << "otherwise another seed is needed";
  const Result single = minimize(test::sphere, {1, 2}, 1, {.restarts = "none", .seed = 1});
  EXPECT_EQ(single.message.find("restarts"), std::string::npos) << single.message;
}

TEST(Restarts, BeginWhereTheyAreTold) {
  Options options{.restarts = "same:2", .seed = 1};
  options.restart_point = [](std::int64_t run) { return Vector::Constant(2, 10.0 * static_cast<double>(run)); };
  Optimizer search(Vector::Zero(2), 1e-3, options);
  std::vector<double> means;
  std::size_t runs = 0;
  while (!search.stop()) {
    const Matrix population = search.ask();
    if (search.result().runs.size() > runs) {
      runs = search.result().runs.size();
      means.push_back(population.mean());
    }
    search.tell(Vector::Constant(population.cols(), 1));  // flat: a run ends soon
  }
  ASSERT_EQ(means.size(), 3U);
  EXPECT_NEAR(means[0], 0, 0.01);
  EXPECT_NEAR(means[1], 20, 0.01);
  EXPECT_NEAR(means[2], 30, 0.01);
}

TEST(Restarts, RefuseAPointThatIsNone) {
  for (const Vector& point : {Vector(Vector::Zero(3)), Vector{{0, std::nan("")}}, Vector{{0, 7}}}) {
    Options options{.bounds = Bounds::all(-5, 5), .restarts = "same", .seed = 1};
    options.restart_point = [&point](std::int64_t /*run*/) { return point; };
    EXPECT_THROW(minimize([](const Vector&) { return 1.0; }, {0, 0}, 1, options), std::invalid_argument);
  }
}

/// A budget means restarts, so the last run is seldom the one that found the best point.
class DistributionOfTheBestRun : public testing::Test {
 protected:
  static double f(const Vector& x) { return (x.array() - 1).square().sum(); }
  static Options options() {
    Options options;
    options.seed = 1;
    options.maxfevals = 400;
    return options;
  }
};

TEST_F(DistributionOfTheBestRun, IsThatOfTheResult) {
  const Result r = minimize([](const Vector& x) { return f(x); }, {3, 3, 3}, 1, options());
  ASSERT_GT(r.runs.size(), 1U);
  EXPECT_LT((r.x.array() - 1).matrix().norm(), 1e-6);
  EXPECT_LT((r.xfavorite.array() - 1).matrix().norm(), 1e-4);
  EXPECT_GT((r.last_run_mean.array() - 1).matrix().norm(), 0.1);
}

/// Without a model the deviations shrink with the distance to the optimum.
TEST_F(DistributionOfTheBestRun, HasItsDeviations) {
  Options without_model = options();
  without_model.model = "none";
  without_model.maxfevals = 3000;
  const Result r = minimize([](const Vector& x) { return f(x); }, {3, 3, 3}, 1, without_model);
  ASSERT_GT(r.runs.size(), 1U);
  EXPECT_LT((r.xfavorite.array() - 1).matrix().norm(), 1e-4);
  EXPECT_LT(r.stds.maxCoeff(), 1e-4);
}

TEST_F(DistributionOfTheBestRun, IsThatOfWarmStartsFromAStateAndSurvivesCheckpoints) {
  Optimizer search({3, 3, 3}, 1, options());
  while (!search.stop()) {
    const Matrix points = search.ask();
    search.tell(Vector((points.array() - 1).square().colwise().sum().transpose()));
  }
  Optimizer other({3, 3, 3}, 1, options());
  other.set_state(search.state());
  for (const Start& start : {search.distribution(), other.distribution(), distribution_of_state(search.state())}) {
    EXPECT_LT((start.mean.array() - 1).matrix().norm(), 1e-4);
  }
  EXPECT_EQ(other.result().xfavorite, search.result().xfavorite);
  EXPECT_EQ(other.result().stds, search.result().stds);
  EXPECT_GT((search.last_run_distribution().mean.array() - 1).matrix().norm(), 0.1);
}

}  // namespace
}  // namespace surefoot
