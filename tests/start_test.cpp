// Where a search begins: the start itself, known points, units of the start's deviations, restarts by default.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "driver/checkpoint/checkpointer.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using test::inf;
using test::nan;
using test::sphere;

Vector squares(const Matrix& points) { return points.colwise().squaredNorm().transpose(); }

TEST(Start, IsEvaluatedFirstAndCounted) {
  std::vector<Record> records;
  std::vector<Vector> seen;
  const Result result = minimize(
      [&](const Vector& x) {
        seen.push_back(x);
        return sphere(x);
      },
      {3, 4}, 1, {.maxiter = 2, .observer = [&](const Record& r) { records.push_back(r); }, .popsize = 6, .seed = 1});
  ASSERT_EQ(seen.size(), 13U);
  EXPECT_EQ(seen[0], (Vector{{3, 4}}));
  EXPECT_EQ(result.nfev, 13);
  EXPECT_EQ(result.nit, 2);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].generation, 0);
  EXPECT_EQ(records[0].nfev, 1);
  EXPECT_EQ(records[0].best, 25);
  EXPECT_EQ(records[0].sigma, 1);
  EXPECT_EQ(records[1].nfev, 7);
}

/// A start in a hole that no sample hits: the result is the start.
TEST(Start, IsNeverBetterThanTheResult) {
  const auto f = [](const Vector& x) { return x == Vector{{3, 3}} ? -1 : sphere(x); };
  const Result result = minimize(f, {3, 3}, 1, {.maxiter = 20, .seed = 1});
  EXPECT_EQ(result.fun, -1);
  EXPECT_EQ(result.x, (Vector{{3, 3}}));
  EXPECT_EQ(minimize(f, {3, 3}, 1, {.evaluate_x0 = false, .maxiter = 20, .seed = 1}).nfev, 120);
}

TEST(Start, EvaluationChangesNothingElse) {
  Optimizer with({3, 3, 3}, 1, {.popsize = 7, .seed = 1});
  EXPECT_EQ(with.popsize(), 1);
  EXPECT_EQ(with.told(), 0);
  EXPECT_EQ(with.ask(), (Matrix(Vector{{3, 3, 3}})));
  with.tell(Vector{{27}});
  EXPECT_EQ(with.told(), 1);
  Optimizer without({3, 3, 3}, 1, {.evaluate_x0 = false, .popsize = 7, .seed = 1});
  EXPECT_EQ(without.told(), 0);
  for (int t = 0; t < 30; ++t) {
    ASSERT_EQ(with.ask(), without.ask());
    with.tell(squares(with.ask()));
    without.tell(squares(without.ask()));
  }
  EXPECT_EQ(with.told(), 31);
  EXPECT_EQ(without.told(), 30);
  EXPECT_EQ(with.result().nit, 30);
}

TEST(Inject, TheBestOfTheKnownPointsIsTheStart) {
  const std::vector<Vector> points = {Vector{{5, 5}}, Vector{{1, 0}}, Vector{{-9, 2}}};
  for (const bool evaluate_x0 : {true, false}) {
    Optimizer search({3, 3}, 0.5, {.evaluate_x0 = evaluate_x0, .inject = points, .popsize = 6, .seed = 1});
    const Matrix known = search.ask();
    ASSERT_EQ(known.cols(), evaluate_x0 ? 4 : 3);
    if (evaluate_x0) {
      EXPECT_EQ(known.col(0), (Vector{{3, 3}}));
    }
    for (Index i = 0; i < 3; ++i) EXPECT_EQ(known.col(known.cols() - 3 + i), points[static_cast<std::size_t>(i)]);
    search.tell(squares(known));
    EXPECT_EQ(search.result().x, points[1]);
    EXPECT_EQ(search.nit(), 0);
    EXPECT_EQ(search.nfev(), known.cols());
    EXPECT_EQ(search.result().xfavorite, points[1]);
    EXPECT_EQ(search.strategy().distribution().sigma(), 0.5);
    Optimizer there(points[1], 0.5, {.evaluate_x0 = false, .popsize = 6, .seed = 1});
    EXPECT_EQ(search.ask(), there.ask());
  }
}

TEST(Inject, NothingFiniteLeavesTheStart) {
  Optimizer search({3, 3}, 0.5, {.inject = {Vector{{1, 0}}}, .seed = 1});
  search.ask();
  search.tell(Vector{{nan, inf}});
  EXPECT_EQ(search.result().xfavorite, (Vector{{3, 3}}));
  EXPECT_EQ(search.result().nfailed, 1);
}

TEST(Inject, ACandidateThatTheCallerChangedMayBeTheStart) {
  Optimizer search({3, 3}, 0.5, {.seed = 1});
  search.ask();
  search.tell(Matrix(Vector{{2, 1}}), Vector{{5}});
  EXPECT_EQ(search.result().xfavorite, (Vector{{2, 1}}));
}

TEST(Inject, WrongPointsAreNamed) {
  const auto message = [](const Vector& point) -> std::string {
    try {
      const Optimizer search({0.5, 0.5}, 1, {.bounds = Bounds::all(0, 2), .inject = {Vector{{1, 1}}, point}});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message(Vector{{2, 0}}), "accepted");
  EXPECT_NE(message(Vector{{1, 2, 3}}).find("inject[1] = a list of 3 numbers"), std::string::npos);
  EXPECT_NE(message(Vector{{1, nan}}).find("inject[1][1] = nan"), std::string::npos);
  EXPECT_NE(message(Vector{{-3, 1}}).find("inject[1][0] = -3"), std::string::npos);
  EXPECT_NE(message(Vector{{-3, 1}}).find("0 to 2"), std::string::npos);
}

/// Fits with parameters like 250 and 0.0005 stopped as degenerate.
TEST(Units, StartsOfDifferentScalesAreNoCondition) {
  const Vector scale{{250, 5e-4, 3, 1e6}};
  const auto fit = [&](const Vector& x) { return (x.cwiseQuotient(scale).array() - 2).matrix().squaredNorm(); };
  for (const char* method : {"ig-xnes", "cma", "xnes"}) {
    const Result result = minimize(fit, scale, Sigma0(0.3 * scale), {.method = method, .seed = 1});
    EXPECT_TRUE(result.success) << method << ": " << result.message;
    EXPECT_LT(result.fun, 1e-9) << method;
    EXPECT_TRUE(result.x.isApprox(2 * scale, 1e-4)) << method;
  }
}

TEST(Units, ResultsAreInTheUsersCoordinates) {
  const Vector x0{{250, 5e-4}};
  Optimizer search(x0, {100, 1e-4}, {.popsize = 2000, .seed = 1});
  EXPECT_TRUE(search.result().stds.isApprox(Vector{{100, 1e-4}}, 1e-14));
  EXPECT_TRUE(search.result().xfavorite.isApprox(x0, 1e-14));
  EXPECT_TRUE(search.distribution().mean.isApprox(x0, 1e-14));
  EXPECT_TRUE(search.distribution().covariance().isApprox(Matrix{{1e4, 0}, {0, 1e-8}}, 1e-13));
  search.ask();
  search.tell(Vector{{0}});
  const Matrix samples = search.ask().colwise() - x0;
  EXPECT_NEAR(std::sqrt(samples.row(0).squaredNorm() / 2000), 100, 10);
  EXPECT_NEAR(std::sqrt(samples.row(1).squaredNorm() / 2000), 1e-4, 1e-5);
  // Ranked by the second coordinate, its mean falls by about one of its deviations.
  search.tell(search.ask().row(1).transpose());
  EXPECT_LT(search.distribution().mean[1], 4.5e-4);
  EXPECT_NEAR(search.distribution().mean[0], 250, 30);
  EXPECT_TRUE(search.result().xfavorite.isApprox(search.distribution().mean, 1e-14));
  EXPECT_TRUE(search.result().stds.isApprox(search.distribution().deviations, 1e-12));
}

Options rescaled(const char* method, const Vector& factors) {
  return {.bounds = {Vector{{0, -1, 2}}.cwiseProduct(factors), Vector{{1, inf, 9}}.cwiseProduct(factors)},
          .maxiter = 80,
          .method = method,
          .seed = 5};
}

TEST(Units, RescaledParametersGiveTheSameTrajectory) {
  const Vector factors{{1024, 0.125, 1.0 / 1048576}};
  const auto f = [](const Vector& x) { return (x - Vector{{0.01, 0, 1}}).squaredNorm() + x[0] * x[1]; };
  for (const char* method : {"ig-xnes", "cma", "xnes"}) {
    const Vector x0{{0.3, 0.5, 5}};
    const Vector sigma0{{0.2, 0.3, 1}};
    const Result plain = minimize(f, x0, Sigma0(sigma0), rescaled(method, Vector::Ones(3)));
    const Result scaled =
        minimize([&](const Vector& x) { return f(x.cwiseQuotient(factors)); }, x0.cwiseProduct(factors),
                 Sigma0(sigma0.cwiseProduct(factors)), rescaled(method, factors));
    EXPECT_TRUE(scaled.xfavorite.cwiseQuotient(factors).isApprox(plain.xfavorite, 1e-9)) << method;
    EXPECT_TRUE(scaled.stds.cwiseQuotient(factors).isApprox(plain.stds, 1e-6)) << method;
    EXPECT_EQ(scaled.nfev, plain.nfev) << method;
  }
}

TEST(Restarts, AreAutomaticWhereThereIsABudgetOrATarget) {
  const auto chosen = [](const Options& options) { return Optimizer({1, 1}, 1, options).options().restarts.text(); };
  EXPECT_EQ(chosen({}), "none");
  EXPECT_EQ(chosen({.maxiter = 100}), "none");
  EXPECT_EQ(chosen({.ftarget = 0}), "bipop:9");
  EXPECT_EQ(chosen({.maxfevals = 100}), "bipop:9");
  EXPECT_EQ(chosen({.timeout = 10}), "bipop:9");
  EXPECT_EQ(chosen({.maxfevals = std::numeric_limits<std::int64_t>::max()}), "none");
  EXPECT_EQ(chosen({.maxfevals = 100, .restarts = "none"}), "none");
  EXPECT_EQ(chosen({.restarts = "ipop"}), "ipop:9");
  EXPECT_EQ(chosen({.ftarget = 0, .restarts = "auto:3"}), "bipop:3");
}

/// One run of d = 3 ends after some 500 evaluations, in one of many valleys.
TEST(Restarts, UseTheBudget) {
  const Result result =
      minimize(find_problem("rastrigin"), Vector::Constant(3, 3), 1, {.maxfevals = 4000, .method = "cma", .seed = 1});
  EXPECT_EQ(result.nfev, 4000);
  EXPECT_GT(result.runs.size(), 2U);
}

/// A budget that is used up by restarts is no failure: the best point is one at which a run converged.
TEST(Restarts, ConvergenceBeforeTheEndOfABudgetIsSuccess) {
  const auto f = [](const Vector& x) { return sphere(x) + 3; };
  const Options options{.maxfevals = 3000, .method = "cma", .restarts = "bipop", .seed = 1};
  const Result result = minimize(f, {3, 3}, 1, options);
  EXPECT_EQ(result.stop, StopReason::maxfevals);
  EXPECT_TRUE(result.success) << result.message;
  EXPECT_NE(result.message.find("best f = 3, where a run converged"), std::string::npos) << result.message;
  Options small = options;
  small.maxfevals = 60;
  EXPECT_FALSE(minimize(f, {3, 3}, 1, small).success);
  Options aimed = options;
  aimed.ftarget = 0;
  EXPECT_FALSE(minimize(f, {3, 3}, 1, aimed).success);
  // The present run has found something better, but is not done.
  Optimizer search({3, 3}, 1, options);
  while (search.result().runs.size() < 3 || search.result().runs.back().nit < 2) {
    Vector values(search.ask().cols());
    for (Index i = 0; i < values.size(); ++i) values[i] = f(search.ask().col(i));
    search.tell(values);
  }
  search.ask();
  search.tell(Vector::Constant(search.popsize(), -5));
  search.abandon(StopReason::timeout);
  EXPECT_FALSE(search.result().success) << search.result().message;
}

TEST(Restarts, AreAsTheCheckpointHasThem) {
  Optimizer first({3, 3}, 1, {.seed = 1});
  for (int t = 0; t < 5; ++t) first.tell(squares(first.ask()));
  std::stringstream file;
  first.save(file);
  Optimizer second({3, 3}, 1, {.maxfevals = 5000, .seed = 1});
  ASSERT_EQ(second.options().restarts.text(), "bipop:9");
  second.load(file);
  EXPECT_EQ(second.options().restarts.text(), "none");
  EXPECT_EQ(second.options().method, first.options().method);
  while (!second.stop()) second.tell(squares(second.ask()));
  while (!first.stop()) first.tell(squares(first.ask()));
  EXPECT_EQ(second.result().x, first.result().x);
  EXPECT_EQ(second.result().runs.size(), 1U);
  Optimizer other({3, 3}, 1, {.restarts = "ipop", .seed = 1});
  file.seekg(0);
  EXPECT_THROW(other.load(file), std::invalid_argument);
}

/// Restarts begin anywhere in the box. One that finds no value there must not end the search.
TEST(Restarts, SurviveInfeasibleStarts) {
  const auto f = [](const Vector& x) {
    const double q = (x.array() - 0.2).square().sum();
    return q > 0.05 ? inf : q;
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Options options{.bounds = Bounds::all(0, 1), .maxfevals = 6000, .seed = seed};
    const Result result = minimize(f, Vector::Constant(4, 0.25), 0.05, options);
    EXPECT_EQ(result.stop, StopReason::maxfevals) << result.message;
    EXPECT_TRUE(result.success) << result.message;
  }
}

/// The best point of run 1 was left on a plateau; that run 2 converged elsewhere is no success.
TEST(Restarts, ConvergenceElsewhereIsNoSuccess) {
  Optimizer search({0, 0}, 1, {.evaluate_x0 = false, .method = "cma", .restarts = "same:1", .seed = 1});
  while (!search.stop()) {
    const Matrix X = search.ask();
    Vector values = Vector::Zero(X.cols());
    if (search.result().runs.size() > 1) values = (X.colwise().squaredNorm().transpose().array() + 1).matrix();
    search.tell(values);
  }
  EXPECT_EQ(search.result().fun, 0);
  EXPECT_FALSE(search.result().success) << search.result().message;
}

TEST(WarmStart, GoesTogetherWithBounds) {
  const Matrix covariance{{0.04, 0.01}, {0.01, 0.09}};
  const Start start = Start::with_covariance(Vector{{0.5, 4}}, covariance);
  const Bounds bounds{Vector{{0, 3}}, Vector{{1, inf}}};
  for (const char* method : {"ig-xnes", "cma", "xnes"}) {
    Optimizer search(start, {.bounds = bounds, .ftarget = 1e-10, .method = method, .restarts = "none", .seed = 1});
    EXPECT_TRUE(search.distribution().covariance().isApprox(covariance, 1e-12)) << method;
    EXPECT_EQ(search.ask(), Matrix(start.mean)) << method;
    while (!search.stop()) {
      const Matrix points = search.ask();
      EXPECT_GE(points.row(0).minCoeff(), 0);
      EXPECT_LE(points.row(0).maxCoeff(), 1);
      EXPECT_GE(points.row(1).minCoeff(), 3);
      search.tell((points.colwise() - Vector{{0.99, 3}}).colwise().squaredNorm().transpose());
    }
    EXPECT_TRUE(search.result().success) << method << ": " << search.result().message;
    // A saved search within bounds is the start of another.
    const Start saved = distribution_of_state(search.state());
    EXPECT_TRUE(saved.covariance().isApprox(search.distribution().covariance(), 1e-12)) << method;
  }
  EXPECT_THROW(Optimizer(start, {.bounds = {Vector{{0, 4}}, Vector{{1, 4}}}}), std::invalid_argument);
  // A mean outside, as a search's own may be, stands for the nearest point inside.
  Optimizer outside(start, {.bounds = Bounds::all(0, 1)});
  EXPECT_EQ(outside.ask(), (Vector{{0.5, 1}}));
}

}  // namespace
}  // namespace surefoot
