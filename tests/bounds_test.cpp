#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <string>

#include "driver/domain/box.hpp"
#include "driver/domain/unbounded.hpp"
#include "driver/merit/bound_penalty.hpp"
#include "surefoot/method.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using test::inf;

TEST(Domain, BeyondABoundIsTheBound) {
  const Box domain({Vector{{0, -inf}}, Vector{{1, 2}}}, Vector{{0.5, 0}}, 0.25);
  EXPECT_TRUE(domain.has_bounds());
  EXPECT_EQ(domain.to_user(Vector{{0.25, -100}}), (Vector{{0.25, -100}}));
  EXPECT_EQ(domain.to_user(Vector{{-3, 3}}), (Vector{{0, 2}}));
  const double a = 3e-4 * 0.25;  // the parabola at a bound: (x - low + a)^2/(4 a)
  EXPECT_DOUBLE_EQ(domain.to_user(Vector{{0, 0}})[0], a / 4);
  EXPECT_DOUBLE_EQ(domain.to_user(Vector{{a, 0}})[0], a);
  EXPECT_EQ(domain.to_user(Vector{{-a, 0}})[0], 0);
}

TEST(Domain, StaysInsideAndInverts) {
  EXPECT_TRUE(rc::check("inside, and the inverse of the inverse", [] {
    const double low = static_cast<double>(*rc::gen::inRange(-100000, 100000)) / 7;
    const double width = static_cast<double>(*rc::gen::inRange(1, 1000000)) / 1000;
    const int sides = *rc::gen::inRange(0, 4);
    const double a = (sides & 1) != 0 ? low : -inf;
    const double b = (sides & 2) != 0 ? low + width : inf;
    const Box domain({Vector{{a, -inf}}, Vector{{b, inf}}}, Vector{{low + width / 3, 0}}, {width, 1 / width});
    const double x = static_cast<double>(*rc::gen::inRange(-100000000, 100000000)) / 131;
    const double t = domain.to_user(Vector{{x, 0}})[0];
    RC_ASSERT(t >= a && t <= b);
    const double back = domain.to_user(domain.to_search(Vector{{t, 0}}))[0];
    RC_ASSERT(std::abs(back - t) <= 1e-9 * std::max(1.0, std::abs(t)));
  }));
}

/// A common standard deviation keeps the user's coordinates; others become the units.
TEST(Domain, SearchesInUnitsOfTheStart) {
  const auto same = make_domain({}, Vector{{250, 0.0005}}, 3);
  const Matrix points = Matrix::Random(2, 5);
  Matrix room;
  EXPECT_EQ(&same->to_user(points, room), &points) << "nothing is copied";
  EXPECT_EQ(room.size(), 0);
  const auto infinite = make_domain(Bounds::all(-inf, inf), Vector{{250, 0.0005}}, {3, 3});
  EXPECT_EQ(&infinite->to_user(points, room), &points) << "bounds that are none";
  const Box scaled({}, Vector{{250, 0.0005}}, {100, 1e-4});
  const Start start = scaled.start();
  EXPECT_FALSE(start.factor);
  EXPECT_NEAR(start.deviations[0], 0.1, 1e-15);
  EXPECT_EQ(start.deviations[0], start.deviations[1]);
  EXPECT_NEAR(start.mean[0], 0.25, 1e-15);
  EXPECT_NEAR(start.mean[1], 0.5, 1e-15);
  EXPECT_TRUE(scaled.to_user(start.mean).isApprox(Vector{{250, 0.0005}}, 1e-15));
  EXPECT_TRUE(scaled.user_deviations(start.deviations).isApprox(Vector{{100, 1e-4}}, 1e-15));
  EXPECT_THROW(Box({}, Vector{{1, 1}}, {1e-300, 1e300}), std::invalid_argument);
}

TEST(Domain, ExcessIsInStandardDeviations) {
  const Box domain(Bounds::all(0, 1), Vector{{0.5, 0.5}}, 0.25);
  const double a = 3e-4 * 0.25;
  Vector squares;
  const Matrix points{{0.5, -0.5 - a, 2 + a}, {0.5, 0.5, -0.2 - a}};
  EXPECT_TRUE(domain.excess(points, Vector{{0.25, 0.1}}, squares));
  EXPECT_TRUE(squares.isApprox(Vector{{0, 4, 16 + 4}}, 1e-12)) << squares.transpose();
  EXPECT_FALSE(domain.excess(points.leftCols(1), Vector{{0.25, 0.1}}, squares));
  EXPECT_TRUE(domain.way_back(Vector{{-1, 0.5}}, Vector{{0.25, 0.1}}, 2).isApprox(Vector{{0.5 - a, 0}}, 1e-12));
}

/// Normal scores of three ranks are -0.869, 0 and 0.869; a distance of one standard deviation costs 3/d.
TEST(BoundPenalty, AddsTheExcessToNormalScores) {
  const Box domain(Bounds::all(0, 1), Vector{{0.5, 0.5}}, 0.25);
  BoundPenalty penalty(domain);
  const Vector merits = penalty.penalised(Vector{{1e9, -5, inf, 2, test::nan}}, Vector{{0, 4, 1, 0, 1}}, 6);
  const double score = 0.8694;
  EXPECT_NEAR(merits[0], score, 1e-4);
  EXPECT_NEAR(merits[1], -score + 2, 1e-4);
  EXPECT_NEAR(merits[3], 0, 1e-12);
  EXPECT_EQ(merits[2], inf);
  EXPECT_TRUE(std::isnan(merits[4]));
  const Vector equal = penalty.penalised(Vector{{7, 7}}, Vector{{0, 1}}, 1);
  EXPECT_NEAR(equal[0], 0, 1e-12) << "ties share their score";
  EXPECT_NEAR(equal[1], 3, 1e-12);
}

TEST(Bounds, AMillionPointsAreInside) {
  const Bounds bounds{Vector{{-1, 0, -inf, 2, 0}}, Vector{{1, inf, 0.5, 2, 1e-9}}};
  const Vector x0{{0, 1, 0, 2, 0}};
  Index outside = 0;
  Index points = 0;
  const Options options =
      without_tolerances({.bounds = bounds, .maxiter = 100, .method = "xnes", .popsize = 10000, .seed = 1});
  Optimizer search(x0, {10, 10, 10, 1, 1}, options);
  while (points < 1000000) {
    if (search.stop()) search = Optimizer(x0, {10, 10, 10, 1, 1}, options);
    const Matrix& population = search.ask();
    ASSERT_EQ(population.rows(), 5);
    for (Index i = 0; i < population.cols(); ++i) {
      for (Index j = 0; j < 5; ++j) {
        if (population(j, i) < bounds.lower[j] || population(j, i) > bounds.upper[j]) ++outside;
      }
      if (population(3, i) != 2) ++outside;
    }
    points += population.cols();
    search.tell(population.colwise().sum().transpose());
  }
  EXPECT_EQ(outside, 0);
}

TEST(Bounds, OptimumOnAFaceIsFound) {
  const auto f = [](const Vector& x) { return (x - Vector{{-5, 0.3, 7}}).squaredNorm(); };
  const Result result = minimize(f, {0.5, 0.5, 0.5}, 0.3, {.bounds = Bounds::all(0, 1), .seed = 1});
  EXPECT_TRUE(result.success) << result.message;
  EXPECT_NEAR(result.x[0], 0, 1e-6);
  EXPECT_NEAR(result.x[1], 0.3, 1e-4);
  EXPECT_NEAR(result.x[2], 1, 1e-6);
  EXPECT_TRUE((result.xfavorite - result.x).norm() < 1e-3);
}

TEST(Bounds, SigmaComesFromTheirWidth) {
  Optimizer search({0.5, 2}, {}, {.bounds = {Vector{{0, 0}}, Vector{{1, 8}}}, .seed = 1});
  EXPECT_TRUE(search.result().stds.isApprox(Vector{{0.25, 2}}, 1e-12));
}

TEST(Bounds, SigmaComesFromX0WhereTheyGiveNone) {
  Optimizer half({0.5, 2}, {}, {.bounds = {Vector{{0, 0}}, Vector{{1, inf}}}, .seed = 1});
  EXPECT_TRUE(half.result().stds.isApprox(Vector{{0.25, 0.5}}, 1e-12));
  Optimizer none({0, -8}, {}, {.seed = 1});
  EXPECT_TRUE(none.result().stds.isApprox(Vector{{0.25, 2}}, 1e-12));
  EXPECT_NE(none.result().message.find("sigma0 was not given: a quarter of |x0| was taken (0.25, 2)"),
            std::string::npos)
      << none.result().message;
}

TEST(Bounds, StrategiesAreCorrectedInSingleCoordinates) {
  for (const char* method : {"xnes", "ig-xnes", "cma"}) {
    const auto strategy = make_strategy(method, {.start = {Vector::Zero(3), Vector{{10, 0.1, 4}}}});
    strategy->correct(Vector{{1, 0, 0}}, Vector{{0.2, 1, 1}});
    const Start limited = strategy->distribution().snapshot();
    EXPECT_EQ(limited.mean, (Vector{{1, 0, 0}})) << method;
    EXPECT_TRUE(limited.deviations.isApprox(Vector{{2, 0.1, 4}}, 1e-12)) << method;
    EXPECT_TRUE(strategy->distribution().is_finite());
    if (std::string(method) == "cma") continue;
    EXPECT_NEAR(strategy->distribution().sigma(), limited.sigma(), 1e-12) << "the determinant of B stays 1";
  }
}

/// A distribution wider than the interval could not be shrunk again by any ranking, so deviations are limited.
TEST(Bounds, SearchesDoNotGetLostInTheFolds) {
  const auto sphere = [](const Vector& x) { return x.squaredNorm(); };
  for (const Index d : {2, 4}) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const Result r =
          minimize(sphere, Vector::Constant(d, 3), {}, {.bounds = Bounds::all(-5, 5), .ftarget = 1e-8, .seed = seed});
      EXPECT_TRUE(r.success) << d << " " << seed << " " << r.message;
      EXPECT_LE(r.stds.maxCoeff(), 10.0 / 3 * (1 + 1e-12));
    }
  }
}

TEST(Bounds, ACoordinateThatDoesNotMatterStaysWithinThem) {
  const auto first = [](const Vector& x) { return x[0] * x[0]; };
  for (const char* method : {"xnes", "ig-xnes", "cma"}) {
    const Result r = minimize(first, {0.5, 0.5}, 1,  // too wide at the start
                              {.bounds = Bounds::all(-1, 1), .ftarget = 1e-12, .method = method, .seed = 1});
    EXPECT_TRUE(r.success) << method << " " << r.message;
    EXPECT_LE(r.stds[1], 2.0 / 3 * (1 + 1e-12)) << method;
  }
}

TEST(Bounds, WrongOnesAreNamed) {
  const auto message = [](const Vector& x0, const Bounds& bounds) -> std::string {
    try {
      const Optimizer search(x0, 1, {.bounds = bounds});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message(Vector{{2, 0}}, Bounds::all(0, 1)).find("x0[0] = 2"), std::string::npos);
  EXPECT_NE(message(Vector{{0, 0}}, Bounds::all(1, 0)).find("lower[0] = 1"), std::string::npos);
  EXPECT_NE(message(Vector{{0, 0}}, {Vector{{0, 0, 0}}, {}}).find("3 numbers"), std::string::npos);
  EXPECT_NE(message(Vector{{0, 0}}, Bounds::all(0, 0)).find("all coordinates are fixed"), std::string::npos);
  EXPECT_NE(message(Vector{{0, 0}}, Bounds::all(std::nan(""), 1)).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace surefoot
