#include "surefoot/bbob.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <thread>

#include "experiments/csv.hpp"
#include "problems/bbob/streams.hpp"
#include "surefoot/normal_source.hpp"
#include "surefoot/problems.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using test::inf;

/// One row of the values that the original program gave.
struct Row {
  BbobProblem problem;
  std::string point;
  double optimal_value;
  double value;
  std::vector<double> x;
};

Row row_of(const std::string& line) {
  const std::vector<std::string> f = csv_fields(line);
  std::vector<double> x;
  std::istringstream coordinates(f.at(6));
  for (std::string text; coordinates >> text;) x.push_back(csv_number(text));
  return {BbobProblem(std::stoi(f[0]), std::stoi(f[1]), std::stoi(f[2])), f[3], csv_number(f[4]), csv_number(f[5]), x};
}

double tolerance(double value) { return 1e-9 * std::max(1.0, std::abs(value)); }

TEST(Bbob, HasTheValuesOfTheOriginalProgram) {
  std::ifstream file(SUREFOOT_TEST_DATA "/bbob/vectors.csv");
  std::string line;
  std::getline(file, line);
  int rows = 0;
  int identical = 0;
  while (std::getline(file, line)) {
    const Row row = row_of(line);
    const double value = row.problem(row.x);
    ASSERT_NEAR(value, row.value, tolerance(row.value)) << line;
    ASSERT_NEAR(row.problem.optimal_value(), row.optimal_value, tolerance(row.optimal_value)) << line;
    if (row.point == "opt") {
      for (Index i = 0; i < row.problem.dimension(); ++i) {
        ASSERT_NEAR(row.problem.optimum()[i], row.x[static_cast<std::size_t>(i)], 1e-12) << line;
      }
    }
    ++rows;
    identical += value == row.value ? 1 : 0;
  }
  EXPECT_EQ(rows, 4800);
  RecordProperty("identical", identical);  // all of them with the mathematical functions of glibc 2.36
  EXPECT_GT(identical, 4000);
}

/// Every function at a dimension and instance that the file of values does not have.
class BbobFunctions : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(All, BbobFunctions, testing::Range(1, 25));

TEST_P(BbobFunctions, AreOptimalAtTheirOptimum) {
  for (const Index d : {2, 7, 40, 100}) {
    for (const int instance : {1, 78, 110}) {
      const BbobProblem problem(GetParam(), d, instance);
      const Vector& x = problem.optimum();
      const double optimal = problem.optimal_value();
      EXPECT_NEAR(problem(std::span(x.data(), static_cast<std::size_t>(d))), optimal, tolerance(optimal));
      Matrix around(d, 50);
      CounterNormals(1).fill(0, around);
      around = (0.5 * around).colwise() + x;
      // Two functions need not exceed their optimum nearby: one is flat beyond it, one has a plateau around it.
      EXPECT_GE(problem(around).minCoeff(), optimal - tolerance(optimal));
      EXPECT_GT(problem(around).maxCoeff(), optimal);
    }
  }
}

TEST_P(BbobFunctions, GiveTheSameBitsForPointsPopulationsAndThreads) {
  const BbobProblem problem(GetParam(), 10, 3);
  Matrix population(10, 64);
  CounterNormals(2).fill(0, population);
  population *= 3;
  const Vector values = problem(population);
  std::vector<std::jthread> threads;
  std::vector<Vector> found(4);
  for (Vector& f : found) threads.emplace_back([&] { problem.evaluate(population, f); });
  threads.clear();
  for (const Vector& f : found) EXPECT_EQ(f, values);
  for (Index i = 0; i < population.cols(); ++i) {
    EXPECT_EQ(problem(std::span(population.col(i).data(), 10)), values[i]);
  }
}

TEST_P(BbobFunctions, PassOnWhatIsNotFinite) {
  const BbobProblem problem(GetParam(), 3);
  EXPECT_EQ(problem(std::vector<double>{0, inf, 0}), inf);
  EXPECT_EQ(problem(std::vector<double>{0, 0, -inf}), inf);
  EXPECT_TRUE(std::isnan(problem(std::vector<double>{inf, std::nan(""), 0})));
}

TEST(Bbob, SharesSeedsWhereTheOriginalDoes) {
  const BbobProblem f17(17, 5, 4);
  const BbobProblem f18(18, 5, 4);
  EXPECT_EQ(f17.optimum(), f18.optimum());
  EXPECT_EQ(f17.optimal_value(), f18.optimal_value());
  EXPECT_EQ(BbobProblem(3, 5, 2).optimal_value(), BbobProblem(4, 5, 2).optimal_value());
  EXPECT_NE(BbobProblem(1, 5, 1).optimum(), BbobProblem(1, 5, 2).optimum());
}

TEST(Bbob, RefusesWhatThereIsNot) {
  EXPECT_THROW(BbobProblem(0, 2), std::invalid_argument);
  EXPECT_THROW(BbobProblem(25, 2), std::invalid_argument);
  EXPECT_THROW(BbobProblem(1, 1), std::invalid_argument);
  EXPECT_THROW(BbobProblem(1, 2, 0), std::invalid_argument);
  EXPECT_THROW(BbobProblem(1, 2, 200001), std::invalid_argument);
  EXPECT_THROW(BbobProblem(1, 3)(std::vector<double>{1, 2}), std::invalid_argument);
  EXPECT_THROW(make_problem("sphere", 3, 2), std::invalid_argument);
  EXPECT_THROW(make_problem("bohachevsky", 1), std::invalid_argument);
  EXPECT_THROW(make_problem("bbob-f25", 3), std::invalid_argument);
}

TEST(Bbob, IsAmongTheProblemsByName) {
  const ProblemInstance problem = make_problem("bbob-f3", 10, 2);
  const BbobProblem same(3, 10, 2);
  EXPECT_EQ(problem.optimal_value, same.optimal_value());
  EXPECT_EQ(problem(std::vector<double>(10, 1.5)), same(std::vector<double>(10, 1.5)));
  const ProblemInstance sphere = make_problem("sphere", 3);
  EXPECT_EQ(sphere(std::vector<double>{1, 2, 3}), 14);
  EXPECT_EQ(sphere.start, Vector::Constant(3, 3));
  std::set<std::string> names;
  for (const BbobFunction& row : bbob_table()) names.insert(row.name);
  EXPECT_EQ(names.size(), 24U);
}

TEST(BbobStreams, ArePrefixesAndRotationsAreOrthogonal) {
  const std::vector<double> five = bbob::uniforms(5, 10001);
  const std::vector<double> nine = bbob::uniforms(9, 10001);
  EXPECT_TRUE(std::equal(five.begin(), five.end(), nine.begin()));
  EXPECT_TRUE(std::all_of(nine.begin(), nine.end(), [](double u) { return u > 0 && u < 1; }));
  EXPECT_EQ(bbob::uniforms(3, 0), bbob::uniforms(3, 1));
  const Matrix R = bbob::rotation(12, 1010001);
  EXPECT_LT(test::deviation_from_orthogonal(R), 1e-13);
}

}  // namespace
}  // namespace surefoot
