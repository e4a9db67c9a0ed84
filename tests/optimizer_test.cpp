#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "test_support.hpp"

namespace surefoot {
namespace {

using test::inf;
using test::nan;

using test::sphere;

Vector sphere_of(const Matrix& population) { return population.colwise().squaredNorm().transpose(); }

TEST(Minimize, TakesAVectorASpanOrAPopulation) {
  const Options options{.ftarget = 1e-8, .seed = 1};
  const Result by_vector = minimize(sphere, {3, 3, 3}, 2, options);
  const Result by_population = minimize(sphere_of, {3, 3, 3}, 2, options);
  const Result by_span = minimize([](std::span<const double> x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2]; },
                                  {3, 3, 3}, 2, options);
  const Result generic = minimize([](const auto& x) { return x.squaredNorm(); }, {3, 3, 3}, 2, options);
  EXPECT_TRUE(by_vector.success) << by_vector.message;
  EXPECT_LE(by_vector.fun, 1e-8);
  EXPECT_EQ(by_vector.fun, sphere(by_vector.x));
  EXPECT_EQ(by_vector.x, by_population.x);
  EXPECT_EQ(by_vector.x, by_span.x);
  EXPECT_EQ(by_vector.x, generic.x);
}

TEST(Minimize, TakesAGenericLambdaWithoutOptions) {
  const Result best = minimize([](const auto& x) { return x.squaredNorm(); }, {3, 3}, 1);
  EXPECT_LE(best.fun, 1e-8) << best.message;
}

TEST(Minimize, IsTheSameTwice) {
  const Options options{.learning_rate = "lra", .maxiter = 100, .popsize = 30, .seed = 0};
  const Result first = minimize(find_problem("rastrigin"), Vector::Constant(10, 3), 2, options);
  const Result second = minimize(find_problem("rastrigin"), Vector::Constant(10, 3), 2, options);
  EXPECT_EQ(first.x, second.x);
  EXPECT_EQ(first.xfavorite, second.xfavorite);
  EXPECT_EQ(first.stds, second.stds);
  EXPECT_EQ(first.seed, 0U) << "0 is a seed";
}

TEST(Minimize, DrawsASeedAndTellsIt) {
  const Result drawn = minimize(sphere, {3, 3}, 2, {.maxiter = 10});
  const Result again = minimize(sphere, {3, 3}, 2, {.maxiter = 10, .seed = drawn.seed});
  EXPECT_EQ(drawn.x, again.x);
  EXPECT_NE(drawn.seed, minimize(sphere, {3, 3}, 2, {.maxiter = 10}).seed);
}

TEST(Minimize, ObserversDoNotChangeTheTrajectory) {
  for (const char* rate : {"fixed", "lra"}) {
    Options options{.learning_rate = rate, .maxiter = 50, .seed = 5};
    const Result alone = minimize(sphere, {3, 3, 3}, 2, options);
    options.observer = [](const Record&) {};
    EXPECT_EQ(alone.xfavorite, minimize(sphere, {3, 3, 3}, 2, options).xfavorite);
  }
}

TEST(Minimize, TakesASigmaPerCoordinate) {
  // From a start that fits the scales, an ellipsoid is a sphere.
  const Result fitted = minimize([](const Vector& x) { return x[0] * x[0] + 1e6 * x[1] * x[1]; }, {3000, 3}, {2000, 2},
                                 {.ftarget = 1e-8, .seed = 1});
  EXPECT_TRUE(fitted.success);
  Optimizer search({1, 2}, {0.5, 8});
  EXPECT_NEAR(search.distribution().sigma(), 2, 1e-15);
  EXPECT_TRUE(search.distribution().deviations.isApprox(Vector{{0.5, 8}}, 1e-15));
}

TEST(AskTell, SolvesTheSphereInTheCallersLoop) {
  Optimizer search({3, 3, 3}, 2, {.ftarget = 1e-8, .seed = 1});
  while (!search.stop()) {
    const Matrix& population = search.ask();
    ASSERT_EQ(population.rows(), 3);
    ASSERT_EQ(population.cols(), search.popsize());
    search.tell(sphere_of(population));
  }
  EXPECT_EQ(search.stop_reason(), StopReason::ftarget);
  EXPECT_EQ(search.result().x, minimize(sphere, {3, 3, 3}, 2, {.ftarget = 1e-8, .seed = 1}).x);
}

TEST(AskTell, AskGivesTheSamePopulationUntilTold) {
  Optimizer search({3, 3}, 2, {.evaluate_x0 = false, .seed = 1});
  const Matrix first = search.ask();
  EXPECT_EQ(first, search.ask());
  search.tell(sphere_of(first));
  EXPECT_NE(first, search.ask());
}

TEST(AskTell, UnchangedCandidatesAreTheSameAsNone) {
  Optimizer one({3, 3, 3}, 2, {.seed = 1});
  Optimizer two({3, 3, 3}, 2, {.seed = 1});
  for (int t = 0; t < 20; ++t) {
    const Matrix copy = one.ask();
    two.ask();
    one.tell(copy, sphere_of(copy));
    two.tell(sphere_of(copy));
  }
  EXPECT_EQ(one.distribution().factor, two.distribution().factor);
}

// A changed candidate acts as if its normals had been drawn: z = (sigma B)^{-1}(x - m).
TEST(AskTell, LearnsFromCandidatesThatTheCallerChanged) {
  const Index d = 3;
  Optimizer changed(Vector::Constant(d, 3), 2, {.evaluate_x0 = false, .learning_rate = "lra", .popsize = 8, .seed = 1});
  for (int t = 0; t < 10; ++t) changed.tell(sphere_of(changed.ask()));  // B is no longer the identity
  Matrix candidates = changed.ask();
  candidates.col(2) = Vector{{0.5, 0.25, -0.125}};
  candidates.col(5) *= 1.5;

  // The gradient by hand from the same candidates.
  const Start before = changed.distribution();
  const Vector values = sphere_of(candidates);
  const double eta_sigma = changed.strategy().measures()["eta_sigma"];
  std::vector<Index> order = {0, 1, 2, 3, 4, 5, 6, 7};
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return values[i] < values[j]; });
  Vector w(8);
  for (Index i = 0; i < 8; ++i) w[i] = std::max(0.0, std::log(5.0) - std::log(static_cast<double>(i + 1)));
  w = w / w.sum() - Vector::Constant(8, 0.125);
  Vector mean = before.mean;
  double G_sigma = 0;
  const Matrix inverse_covariance = before.covariance().inverse();
  for (Index i = 0; i < 8; ++i) {
    const Vector y = candidates.col(order[static_cast<std::size_t>(i)]) - before.mean;
    mean += w[i] * y;
    G_sigma += w[i] * y.dot(inverse_covariance * y) / static_cast<double>(d);
  }
  changed.tell(candidates, values);
  EXPECT_TRUE(changed.distribution().mean.isApprox(mean, 1e-12));
  EXPECT_NEAR(changed.distribution().sigma(), before.sigma() * std::exp(eta_sigma / 2 * G_sigma), 1e-12);
  EXPECT_EQ(changed.result().x.size(), d);
}

TEST(AskTell, RemembersAChangedCandidateAsBest) {
  Optimizer search({3, 3}, 2, {.evaluate_x0 = false, .seed = 1});
  Matrix candidates = search.ask();
  candidates.col(1).setZero();
  search.tell(candidates, sphere_of(candidates));
  EXPECT_EQ(search.result().x, Vector::Zero(2));
  EXPECT_EQ(search.result().fun, 0);
}

TEST(Stop, TestsBetweenEvaluationAndUpdate) {
  Optimizer search({3, 3}, 2, {.evaluate_x0 = false, .ftarget = 1e6, .seed = 1});
  search.tell(sphere_of(search.ask()));
  EXPECT_EQ(search.stop_reason(), StopReason::ftarget);
  EXPECT_EQ(search.distribution().mean, (Vector{{3, 3}})) << "the last population causes no update";
}

TEST(Stop, FtargetIsReachedByEquality) {
  const auto one = [](const Vector&) { return 1.0; };
  const Result result = minimize(one, {3, 3}, 2, {.evaluate_x0 = false, .ftarget = 1, .seed = 1});
  EXPECT_EQ(result.stop, StopReason::ftarget);
  EXPECT_EQ(result.nit, 1);
  EXPECT_EQ(minimize(one, {3, 3}, 2, {.ftarget = 1, .seed = 1}).nfev, 1) << "the start reaches it already";
}

TEST(Stop, MaxfevalsIsNeverExceeded) {
  const Result result = minimize(sphere, {3, 3}, 2, {.maxfevals = 25, .popsize = 10, .seed = 1});
  EXPECT_EQ(result.stop, StopReason::maxfevals);
  EXPECT_EQ(result.nfev, 25);
  EXPECT_FALSE(result.success);
  EXPECT_NE(result.message.find("maxfevals = 25"), std::string::npos) << result.message;
}

TEST(Stop, MaxiterCountsGenerations) {
  const Result result = minimize(sphere, {3, 3}, 2, {.maxiter = 7, .popsize = 10, .seed = 1});
  EXPECT_EQ(result.stop, StopReason::maxiter);
  EXPECT_EQ(result.nit, 7);
  EXPECT_EQ(result.nfev, 71) << "the start is evaluated too";
}

TEST(Stop, WithoutABudgetThereIsADefaultOne) {
  EXPECT_EQ(default_maxiter(10, 10), 8116);  // 100 + floor(150 13^2/sqrt(10))
  // The optimum moves on, so that the run does not end by itself.
  const auto moving = [t = std::make_shared<double>(0)](const Matrix& x) {
    *t += 0.1;
    return Vector((x.array() - *t).square().colwise().sum().transpose());
  };
  const Result result = minimize(moving, {3}, 2, without_tolerances({.method = "xnes", .seed = 1}));
  EXPECT_EQ(result.stop, StopReason::maxiter) << result.message;
  EXPECT_EQ(result.nit, default_maxiter(1, 4));
  // The ranking is random: the rates of ig-xnes fall, and nothing is learnt.
  const auto noise = [random = std::make_shared<test::RandomValues>(1)](const Matrix& x) {
    return (*random)(x.cols());
  };
  const Result patient = minimize(noise, {3}, 2, without_tolerances({.method = "ig-xnes", .seed = 1}));
  EXPECT_EQ(patient.stop, StopReason::maxiter);
  EXPECT_GT(patient.nit, default_maxiter(1, 4));
  EXPECT_LE(patient.nit, 10 * default_maxiter(1, 4));
}

TEST(Stop, VanishedScaleIsConvergence) {
  const Result result = minimize([](const Vector& x) { return (x.array() - 1).matrix().squaredNorm(); }, {3, 3}, 2,
                                 without_tolerances({.maxiter = 100000, .seed = 1}));
  EXPECT_EQ(result.stop, StopReason::vanished) << result.message;
  EXPECT_TRUE(result.success);
  EXPECT_LT(result.stds.maxCoeff(), 1e-14);
  EXPECT_FALSE(minimize([](const Vector& x) { return (x.array() - 1).matrix().squaredNorm() + 1; }, {3, 3}, 2,
                        {.ftarget = 0, .maxiter = 100000, .seed = 1})
                   .success)
      << "with a target, converging above it is no success";
}

TEST(Stop, ExplodedScaleIsDivergence) {
  const Result result =
      minimize([](const Vector& x) { return -x.norm(); }, {3}, 2, without_tolerances({.maxiter = 100000, .seed = 1}));
  EXPECT_EQ(result.stop, StopReason::exploded) << result.message;
  EXPECT_FALSE(result.success);
}

TEST(Stop, LostRankIsSeen) {
  // Only the first coordinate wants to grow, for ever, while sigma is held: B becomes singular.
  const Result result = minimize(
      [](const Vector& x) { return -std::abs(x[0]); }, {3, 3}, 2,
      without_tolerances({.learning_rate = FixedRates{.eta_sigma = 1e-9, .eta_B = 1}, .maxiter = 100000, .seed = 1}));
  EXPECT_EQ(result.stop, StopReason::lost_rank) << result.message;
}

TEST(Stop, NonFiniteDistributionIsNeverSampled) {
  // The rates are absurd, so an early update overflows the mean, sigma or B.
  for (const FixedRates& rates : {FixedRates{.eta_m = 1e308}, FixedRates{.eta_sigma = 1e5}, FixedRates{.eta_B = 1e5}}) {
    bool finite = true;
    const auto f = [&](const Vector& x) {
      finite = finite && x.allFinite();
      return x.squaredNorm();
    };
    const Result result = minimize(f, {3, 3}, 2, {.learning_rate = rates, .maxiter = 1000, .seed = 1});
    EXPECT_NE(result.stop, StopReason::maxiter) << result.message;
    EXPECT_LT(result.nit, 100);
    EXPECT_TRUE(finite);
  }
}

TEST(Failures, NanAndInfinityRankLast) {
  // A third of the plane gives NaN, a third infinity; the optimum lies in the rest.
  const auto hostile = [](const Vector& x) { return x[0] > 1 ? nan : x[1] > 1 ? inf : x.squaredNorm(); };
  const Result result = minimize(hostile, {0.9, 0.9}, 1, {.ftarget = 1e-8, .seed = 1});
  EXPECT_TRUE(result.success) << result.message;
}

TEST(Failures, AGenerationWithoutAFiniteValueCountsAndChangesNothing) {
  Optimizer search({3, 3}, 2, {.evaluate_x0 = false, .learning_rate = "lra", .popsize = 6, .seed = 1});
  for (int t = 0; t < 5; ++t) search.tell(sphere_of(search.ask()));
  const Start before = search.distribution();
  const Measures measures = search.strategy().measures();
  const Matrix population = search.ask();
  search.tell(Vector::Constant(6, nan));
  EXPECT_EQ(search.distribution().mean, before.mean);
  EXPECT_EQ(search.distribution().factor, before.factor);
  for (const auto& [name, value] : measures) EXPECT_EQ(search.strategy().measures()[name], value) << name;
  EXPECT_EQ(search.nfev(), 36);
  EXPECT_EQ(search.result().nit, 6);
  EXPECT_NE(search.ask(), population) << "the next generation draws anew";
}

/// Around a start that has a value the first population is too wide.
TEST(Failures, FirstGenerationsWithoutAFiniteValueNarrowTheSearch) {
  Optimizer search({3, 3}, 2, {.method = "xnes", .popsize = 6, .seed = 1});
  search.tell(sphere_of(search.ask()));
  search.ask();
  search.tell(Vector::Constant(6, inf));
  EXPECT_EQ(search.strategy().distribution().sigma(), 1);
  EXPECT_EQ(search.distribution().mean, (Vector{{3, 3}}));
  const auto island = [](const Vector& x) { return x.norm() > 1e-1 ? inf : x.squaredNorm(); };
  const Result result = minimize(island, {0.01, 0.01}, 0.5, {.ftarget = 1e-10, .method = "cma", .seed = 1});
  EXPECT_TRUE(result.success) << result.message;
}

TEST(Failures, OneValueIsNoPlateau) {
  Optimizer search({3, 3}, 2, {.evaluate_x0 = false, .method = "ig-xnes", .popsize = 6, .seed = 1});
  search.ask();
  search.tell(Vector{{nan, nan, 5, nan, inf, nan}});
  EXPECT_NE(search.distribution().mean, (Vector{{3, 3}})) << "it is the best";
  EXPECT_LT(search.distribution().sigma(), 2 * 1.4) << "and no reason to widen the search";
}

TEST(Failures, WithoutAnyFiniteValueTheResultSaysSo) {
  const Result result = minimize([](const Vector&) { return nan; }, {3, 4}, 2, {.maxiter = 3, .seed = 1});
  EXPECT_TRUE(std::isnan(result.fun));
  EXPECT_EQ(result.x, (Vector{{3, 4}}));
  EXPECT_NE(result.message.find("no value was finite"), std::string::npos) << result.message;
}

TEST(Records, DescribeEveryGeneration) {
  std::vector<Record> records;
  const Result result = minimize(sphere, {3, 3, 3}, 2,
                                 {.learning_rate = "lra",
                                  .maxiter = 40,
                                  .observer = [&](const Record& r) { records.push_back(r); },
                                  .popsize = 12,
                                  .seed = 1});
  ASSERT_EQ(records.size(), 41U);
  EXPECT_EQ(records[0].best, 27) << "the start";
  double best = inf;
  for (std::size_t t = 0; t < records.size(); ++t) {
    const Record& r = records[t];
    best = std::min(best, r.generation_best);
    EXPECT_EQ(r.generation, static_cast<std::int64_t>(t));
    EXPECT_EQ(r.nfev, 1 + 12 * r.generation);
    EXPECT_EQ(r.best, best);
    EXPECT_EQ(r.eta_m, 1);
    EXPECT_GE(r.eta_sigma, default_learning_rates(3).sigma);
    EXPECT_LE(r.eta_B, 1);
    EXPECT_GT(r.sigma, 0);
    EXPECT_GE(r.condition, 1);
  }
  EXPECT_NEAR(records[1].gamma, 0.36, 1e-15);
  EXPECT_EQ(records.back().best, result.fun);
}

TEST(Records, ConditionIsThatOfTheCovariance) {
  const auto strategy = make_strategy("xnes", {.start = {Vector::Zero(3), Vector{{1, 10, 100}}}});
  EXPECT_NEAR(strategy->distribution().condition(), 1e4, 1e-6);
  EXPECT_TRUE(strategy->distribution().axis_lengths().isApprox(Vector{{100, 10, 1}}, 1e-12));
}

TEST(Results, PrintThemselves) {
  std::ostringstream out;
  out << minimize(sphere, {3, 3}, 2, {.ftarget = 1e-8, .seed = 1});
  EXPECT_NE(out.str().find("target reached"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("seed 1"), std::string::npos) << out.str();
}

}  // namespace
}  // namespace surefoot
