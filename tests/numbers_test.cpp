// Lists of numbers in the public interface: braces, std::vector, Eigen's vectors and expressions, one number for all.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "surefoot/surefoot.hpp"

namespace surefoot {
namespace {

double away_from_2(const Vector& x) { return (x.array() - 2).square().sum(); }

/// Whether a search from 0.5 towards 2 within 0 and 1 ends on the upper bounds and never leaves them.
void expect_box(const Options& given, Index d, const std::string& form) {
  Options options = given;
  options.maxfevals = 200;
  options.seed = 1;
  bool is_inside = true;
  const auto f = [&](const Vector& x) {
    is_inside = is_inside && x.minCoeff() >= 0 && x.maxCoeff() <= 1;
    return away_from_2(x);
  };
  const Result best = minimize(f, Vector::Constant(d, 0.5), 0.25, options);
  EXPECT_TRUE(is_inside) << form << " at d = " << d;
  EXPECT_EQ(best.x.size(), d) << form;
}

TEST(Numbers, BoundsTakeBraces) {
  expect_box({.bounds = {.lower = {0}, .upper = {1}}}, 1, "{0}");
  expect_box({.bounds = {.lower = {0, 0}, .upper = {1, 1}}}, 2, "{0, 0}");
  expect_box({.bounds = {.lower = {0, 0, 0}, .upper = {1, 1, 1}}}, 3, "{0, 0, 0}");
  expect_box({.bounds = {.lower = {0, 0, 0, 0}, .upper = {1, 1, 1, 1}}}, 4, "{0, 0, 0, 0}");
  expect_box({.bounds = {{0, 0}, {1, 1}}}, 2, "{{0, 0}, {1, 1}}");
  expect_box({.bounds = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}}, 3, "{{0.0, ...}, {1.0, ...}}");
  const Options lower_only{.bounds = {.lower = {0, 0}}};
  EXPECT_EQ(lower_only.bounds.lower, Vector::Zero(2));
  EXPECT_EQ(lower_only.bounds.upper.size(), 0);
  const Options tens{.bounds = {.upper = {10, 10}}};
  EXPECT_EQ(tens.bounds.upper, Vector::Constant(2, 10));
}

TEST(Numbers, BoundsTakeOneNumberForAll) {
  for (Index d = 1; d <= 4; ++d) {
    expect_box({.bounds = {.lower = 0, .upper = 1}}, d, "0 and 1");
    expect_box({.bounds = {0, 1}}, d, "{0, 1}");
    expect_box({.bounds = {.lower = {0.0}, .upper = {1.0}}}, d, "{0.0} and {1.0}");
    expect_box({.bounds = Bounds::all(0, 1)}, d, "all(0, 1)");
  }
}

TEST(Numbers, BoundsTakeVectorsAndExpressions) {
  for (Index d = 1; d <= 4; ++d) {
    const std::vector<double> zeros(static_cast<std::size_t>(d), 0.0);
    const Vector ones = Vector::Ones(d);
    expect_box({.bounds = {.lower = zeros, .upper = ones}}, d, "std::vector and Vector");
    expect_box({.bounds = {.lower = ones - ones, .upper = ones.array() * 1.0}}, d, "expressions");
    expect_box({.bounds = {.lower = Eigen::RowVectorXd::Zero(d), .upper = Eigen::VectorXi::Ones(d)}}, d,
               "rows, integers");
    Options options;
    options.bounds.lower = zeros;
    options.bounds.upper = 2 * ones;
    options.bounds.upper = ones;
    expect_box(options, d, "assignment");
    options.bounds.lower = 0;
    options.bounds.upper = 1.0;
    expect_box(options, d, "assignment of numbers");
  }
  Options options;
  options.bounds.lower = {0, 0};
  options.bounds.upper = {1, 1};
  expect_box(options, 2, "assignment of braces");
}

TEST(Numbers, StartsTakeBraces) {
  const Start one{.mean = {1}, .deviations = {2}};
  EXPECT_EQ(one.dimension(), 1);
  const Start two{.mean = {3, 4}, .deviations = {1, 2}};
  EXPECT_EQ(two.mean, (Vector{{3, 4}}));
  EXPECT_EQ(two.deviations, (Vector{{1, 2}}));
  const Start three{.mean = {3, 4, 5}, .deviations = std::vector<double>{1, 2, 3}, .direction = {{0.1, 0.2, 0.3}}};
  EXPECT_EQ(*three.direction, (Vector{{0.1, 0.2, 0.3}}));
  const Start four{.mean = {1, 2, 3, 4}, .deviations = Vector::Ones(4) * 2};
  EXPECT_EQ(Optimizer(four, {.seed = 1}).dimension(), 4);
  EXPECT_EQ(Optimizer(two, {.seed = 1}).ask(), (Vector{{3, 4}}));
}

TEST(Numbers, InjectedPointsTakeBraces) {
  const auto points = [](const Options& options) { return options.inject; };
  EXPECT_EQ(points({.inject = {{1}}}), (std::vector<Vector>{Vector::Constant(1, 1)}));
  EXPECT_EQ(points({.inject = {{1, 2}}}), (std::vector<Vector>{Vector{{1, 2}}}));
  EXPECT_EQ(points({.inject = {{1, 2}, {3, 4}}}), (std::vector<Vector>{Vector{{1, 2}}, Vector{{3, 4}}}));
  EXPECT_EQ(points({.inject = {{1, 2, 3}, {3, 4, 5}}}), (std::vector<Vector>{Vector{{1, 2, 3}}, Vector{{3, 4, 5}}}));
  EXPECT_EQ(points({.inject = {{1, 2, 3, 4}}}), (std::vector<Vector>{Vector{{1, 2, 3, 4}}}));
  const std::vector<double> numbers{5, 6};
  const Vector vector{{7, 8}};
  EXPECT_EQ(points({.inject = {numbers, vector, 2 * vector}}),
            (std::vector<Vector>{Vector{{5, 6}}, vector, 2 * vector}));
  EXPECT_EQ(points({.inject = std::vector<Vector>{vector}}), (std::vector<Vector>{vector}));
  EXPECT_EQ(points({.inject = std::vector<std::vector<double>>{{7, 8}}}), (std::vector<Vector>{vector}));
  Options options{.inject = {{1, 1}}, .seed = 1};
  options.inject.push_back(vector);
  EXPECT_EQ(Optimizer({2, 2}, 1, options).ask(), (Matrix{{2, 1, 7}, {2, 1, 8}}));
}

TEST(Numbers, RestartPointsMayBeAnyList) {
  std::vector<std::int64_t> asked;
  const auto point = [&asked](std::int64_t run) {
    asked.push_back(run);
    return std::vector<double>{1, 2};
  };
  const Options options{.maxfevals = 2000, .restart_point = point, .restarts = "same:2", .seed = 1};
  minimize(away_from_2, {3, 4}, 0.1, options);
  EXPECT_FALSE(asked.empty());
}

TEST(Numbers, StartPointsTakeEachForm) {
  const auto dimension = [](const Point& x0) { return Optimizer(x0, 1, {.seed = 1}).dimension(); };
  EXPECT_EQ(dimension({1}), 1);
  EXPECT_EQ(dimension({1, 2}), 2);
  EXPECT_EQ(dimension(std::vector<double>{1, 2, 3}), 3);
  EXPECT_EQ(dimension(Vector::Zero(4)), 4);
  EXPECT_EQ(dimension(Eigen::Array2d(1, 2) + 1), 2);
  Point point{1, 2};
  point = {3, 4};
  EXPECT_EQ(point, (Vector{{3, 4}}));
}

}  // namespace
}  // namespace surefoot
