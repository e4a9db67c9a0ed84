// The test of separability and the search along coordinates.

#include "driver/model/separable_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "driver/checkpoint/state_bytes.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using Objective = std::function<double(const Vector&)>;
using Verdict = SeparabilityTest::Verdict;

double rastrigin(const Vector& x) {
  return 10 * static_cast<double>(x.size()) + x.squaredNorm() - 10 * (2 * std::numbers::pi * x.array()).cos().sum();
}

struct Tested {
  Verdict verdict;
  int rounds;
};

Tested tested(const Objective& f, Index d, std::uint64_t seed = 1) {
  const Vector x = Vector::LinSpaced(d, 0.3, 2);
  SeparabilityTest test(x, f(x), Vector::Ones(d), SearchBox::unbounded(d), seed);
  while (test.verdict() == Verdict::open) {
    Vector values(3);
    for (Index k = 0; k < 3; ++k) values[k] = f(test.points().col(k));
    test.tell(values);
  }
  return {test.verdict(), test.rounds()};
}

TEST(SeparabilityTest, SumsPass) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Tested result = tested(rastrigin, 5, seed);
    EXPECT_EQ(result.verdict, Verdict::separable);
    EXPECT_EQ(result.rounds, 3);
    EXPECT_EQ(tested([](const Vector& x) { return 1e6 + x.sum(); }, 2, seed).verdict, Verdict::separable);
  }
}

TEST(SeparabilityTest, CoupledFunctionsPayThreeEvaluations) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const Index d : {2, 3, 10}) {
      const Tested result = tested(test::rosenbrock, d, seed);
      EXPECT_EQ(result.verdict, Verdict::coupled);
      EXPECT_LE(result.rounds, d == 3 ? 2 : 1);  // a middle coordinate of three may be coupled to neither side's step
    }
  }
}

TEST(SeparabilityTest, NoisePlateausAndFailuresDoNotPass) {
  test::RandomValues random(1);
  EXPECT_EQ(tested([&](const Vector& x) { return x.sum() + 1e-6 * random(1)[0]; }, 4).verdict, Verdict::coupled);
  EXPECT_EQ(tested([](const Vector&) { return 1.0; }, 4).verdict, Verdict::coupled);
  int calls = 0;
  const auto failing = [&](const Vector& x) { return ++calls > 1 ? test::nan : x.sum(); };
  EXPECT_EQ(tested(failing, 4).verdict, Verdict::coupled);
}

TEST(SeparabilityTest, StaysInTheBox) {
  const Vector x = Eigen::Vector3d(0, 0.5, 1);
  const SearchBox box = {Vector::Zero(3), Vector::Ones(3)};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SeparabilityTest test(x, x.sum(), Vector::Ones(3), box, seed);
    EXPECT_GE(test.points().minCoeff(), 0);
    EXPECT_LE(test.points().maxCoeff(), 1);
  }
}

TEST(CoordinateLine, HalvesTheMostPromisingInterval) {
  CoordinateLine line(-test::inf, test::inf, 1, 0);
  line.add(0, 0);
  line.add(-1, 4);
  line.add(3, 9);  // (2 + 0)/1 against (0 + 3)/3
  EXPECT_EQ(line.best(), 0);
  EXPECT_EQ(line.left_of_best(), -1);
  EXPECT_EQ(line.right_of_best(), 3);
  EXPECT_EQ(line.worse_end().t, 3);
  EXPECT_EQ(line.range(), 9);
  EXPECT_EQ(line.next(), 1.5);
}

TEST(CoordinateLine, GoesBeyondABestEnd) {
  CoordinateLine line(-test::inf, 2.5, 1, 0);
  line.add(0, 1);
  line.add(2, 0);
  EXPECT_EQ(line.next(), 2.5);  // 3 but for the bound
  line.add(2.5, -1);
  EXPECT_EQ(line.next(), 1);  // (sqrt 2 + 1)/2 against (1 + 0)/0.5
}

TEST(CoordinateLine, LeavesShortIntervalsAlone) {
  CoordinateLine line(0, 1e-10, 1, 0);
  line.add(0, 0);
  line.add(1e-10, 1);
  EXPECT_FALSE(line.next());
}

TEST(Brent, FindsAMinimum) {
  const auto f = [](double t) { return std::cosh(t - 0.7); };
  Brent brent(-2, 3, 0, f(0), 1e-9);
  while (!brent.is_over() && brent.evaluations() < 40) brent.tell(f(brent.next()));
  EXPECT_NEAR(brent.best(), 0.7, 2e-8);  // the square root of what doubles can tell apart
  EXPECT_LT(brent.evaluations(), 25);
}

TEST(Brent, FindsTheEndOfASlope) {
  Brent brent(0, 1, 1, -1, 1e-6);
  while (!brent.is_over() && brent.evaluations() < 60) brent.tell(-brent.next());
  EXPECT_NEAR(brent.best(), 1, 1e-5);
}

struct Searched {
  Vector base;
  double value;
  std::int64_t evaluations;
  bool has_given_up;
  double lowest_coordinate, highest_coordinate;
};

Searched searched(const Objective& f, const Vector& x, const SearchBox& box, std::int64_t most = 1000000) {
  SeparableSearch search(x, f(x), Vector::Ones(x.size()), box, 1);
  std::int64_t evaluations = 0;
  double lowest = test::inf;
  double highest = -test::inf;
  while (!search.is_over() && evaluations < most) {
    const Matrix points = search.ask();
    Vector values(points.cols());
    for (Index k = 0; k < values.size(); ++k) values[k] = f(points.col(k));
    lowest = std::min(lowest, points.minCoeff());
    highest = std::max(highest, points.maxCoeff());
    evaluations += values.size();
    search.tell(values);
  }
  EXPECT_EQ(f(search.base()), search.value());  // the best is a point that was evaluated
  return {search.base(), search.value(), evaluations, search.has_given_up(), lowest, highest};
}

TEST(SeparableSearch, SolvesRastrigin) {
  for (const Index d : {1, 2, 5, 10}) {
    const Vector x = Vector::LinSpaced(d, -3.2, 2.7);
    const Searched result = searched(rastrigin, x, SearchBox::unbounded(d), 150 * d);
    EXPECT_LT(result.value, 1e-8) << d;
  }
}

TEST(SeparableSearch, FindsAFarOptimum) {
  const auto f = [](const Vector& x) { return (x.array() - 100).square().sum(); };
  const Searched result = searched(f, Vector::Zero(3), SearchBox::unbounded(3));
  EXPECT_LT(result.value, 1e-10);
  EXPECT_FALSE(result.has_given_up);
}

TEST(SeparableSearch, GivesUpWhatIsCoupled) {
  const Searched result = searched(test::rosenbrock, Vector::Constant(4, 0.5), SearchBox::unbounded(4));
  EXPECT_TRUE(result.has_given_up);
  EXPECT_EQ(result.evaluations, 3);
}

TEST(SeparableSearch, GivesUpWhatIsCoupledFarAway) {  // a sum near the start only
  const auto f = [](const Vector& x) {
    const double far = std::max(0.0, -x[0] - 3) * std::max(0.0, x[1] - 3);
    return (x.array() - 5).square().sum() + 100 * far;
  };
  const Searched result = searched(f, Vector::Zero(2), SearchBox::unbounded(2));
  EXPECT_TRUE(result.has_given_up);
  EXPECT_LT(result.evaluations, 200);
}

TEST(SeparableSearch, StaysWithinBoundsAndFindsThem) {
  const SearchBox box = {Vector::Constant(3, -1), Vector::Constant(3, 2)};
  const auto f = [](const Vector& x) { return x.sum(); };
  const Searched result = searched(f, Vector::Constant(3, 0.5), box);
  EXPECT_EQ(result.base, Vector(Vector::Constant(3, -1)));
  EXPECT_GE(result.lowest_coordinate, -1);
  EXPECT_LE(result.highest_coordinate, 2);
}

TEST(SeparableSearch, GivesUpAtAFailure) {
  int calls = 0;
  const auto f = [&](const Vector& x) { return ++calls == 40 ? test::nan : rastrigin(x); };
  EXPECT_TRUE(searched(f, Vector::Constant(3, 0.5), SearchBox::unbounded(3)).has_given_up);
}

TEST(SeparableSearch, ResumesAnywhere) {
  const Vector x = Vector::LinSpaced(3, -3.2, 2.7);
  for (const int at : {0, 1, 2, 3, 8, 60, 140}) {
    SeparableSearch search(x, rastrigin(x), Vector::Ones(3), SearchBox::unbounded(3), 1);
    const auto step = [](SeparableSearch& s) {
      Vector values(s.ask().cols());
      for (Index k = 0; k < values.size(); ++k) values[k] = rastrigin(s.ask().col(k));
      s.tell(values);
    };
    for (int i = 0; i < at; ++i) step(search);
    StateWriter writer;
    search.visit(writer);
    SeparableSearch restored(x, rastrigin(x), Vector::Ones(3), SearchBox::unbounded(3), 1);
    StateReader reader(writer.bytes());
    restored.visit(reader);
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(search.ask(), restored.ask());
      step(search);
      step(restored);
    }
    EXPECT_EQ(search.value(), restored.value());
  }
}

}  // namespace
}  // namespace surefoot
