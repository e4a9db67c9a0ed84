#include "surefoot/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefoot/normal_source.hpp"

namespace surefoot {
namespace {

double value(const char* name, const Vector& x) { return find_problem(name).value(x.data(), x.size()); }

TEST(Problems, HaveTheValuesOfTheirFormulas) {
  const Vector x{{1, 2, 3}};
  EXPECT_DOUBLE_EQ(value("sphere", x), 14);
  EXPECT_NEAR(value("ellipsoid", x), 1 + 1000.0 * 4 + 1e6 * 9, 1e-6);
  EXPECT_NEAR(value("rastrigin", x), 14, 1e-12);
  EXPECT_NEAR(value("rastrigin", Vector{{0.5, 0.5}}), 40.5, 1e-12);
  // Pairs (1, 2) and (2, 3): 1 + 8 + 0.3 - 0.4 + 0.7 and 4 + 18 - 0.3 - 0.4 + 0.7.
  EXPECT_NEAR(value("bohachevsky", x), 9.6 + 22.0, 1e-12);
  EXPECT_DOUBLE_EQ(value("k-tablet", x), 1 + 1e4 * (4 + 9));
  EXPECT_DOUBLE_EQ(value("k-tablet", Vector{{1, 2, 3, 4}}), 1 + 4 + 1e4 * (9 + 16));
  EXPECT_DOUBLE_EQ(value("rosenbrock", x), 100 * 1 + 0 + 100 * 1 + 1);
  EXPECT_DOUBLE_EQ(value("cigar", x), 1 + 1e6 * (4 + 9));
  EXPECT_DOUBLE_EQ(value("tablet", x), 1e6 + 4 + 9);
  EXPECT_DOUBLE_EQ(value("different-powers", x), 1 + 128 + 531441);  // exponents 2, 7, 12
  EXPECT_NEAR(value("ackley", Vector{{1, 1}}), 20 - 20 * std::exp(-0.2), 1e-12);
  EXPECT_NEAR(value("schaffer", Vector{{0, 1}}), std::pow(std::sin(50.0), 2) + 1, 1e-12);
}

TEST(Problems, AreZeroAtTheirOptimumAndPositiveElsewhere) {
  for (const Problem& problem : problem_table()) {
    for (const Index d : {problem.min_dimension, Index{2}, Index{10}}) {
      const Vector optimum = Vector::Constant(d, problem.optimum);
      EXPECT_NEAR(problem.value(optimum.data(), d), 0, 1e-15) << problem.name;
      Matrix offsets(d, 50);
      CounterNormals(1).fill(0, offsets);
      const Matrix population = (problem.sigma0 * offsets).colwise() + optimum;
      EXPECT_GT(problem(population).minCoeff(), 0) << problem.name;
    }
  }
}

TEST(Problems, GiveTheSameBitsForPointsAndPopulations) {
  for (const Problem& problem : problem_table()) {
    Matrix population(7, 20);
    CounterNormals(3).fill(0, population);
    const Vector values = problem(population);
    for (Index i = 0; i < population.cols(); ++i) {
      EXPECT_EQ(values[i], problem.value(population.col(i).data(), 7)) << problem.name;
    }
  }
}

TEST(Problems, HaveThePaperStarts) {
  for (const char* name : {"sphere", "ellipsoid", "rastrigin"}) {
    EXPECT_EQ(find_problem(name).start, 3);
    EXPECT_EQ(find_problem(name).sigma0, 2);
  }
  EXPECT_EQ(find_problem("bohachevsky").start, 8);
  EXPECT_EQ(find_problem("bohachevsky").sigma0, 7);
  EXPECT_EQ(find_problem("schaffer").start, 55);
  EXPECT_EQ(find_problem("schaffer").sigma0, 45);
}

}  // namespace
}  // namespace surefoot
