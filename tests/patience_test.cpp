// Patience that plans for its budget, and ends on rugged ground but not on noise.

#include "core/methods/xnes/patience.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/ranking/rank_weights.hpp"
#include "surefoot/problems.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

/// Energy of atoms with the potential 4 (r^-12 - r^-6); the least of 5 atoms is -9.103852.
double lennard_jones(const Vector& x) {
  double energy = 0;
  for (Index i = 3; i < x.size(); i += 3) {
    for (Index j = 0; j < i; j += 3) {
      const double attraction = std::pow(std::max(0.05, (x.segment(i, 3) - x.segment(j, 3)).squaredNorm()), -3.0);
      energy += 4 * attraction * (attraction - 1);
    }
  }
  return energy;
}

/// Seeds 1 to 10 of 5 atoms in [-2, 2]^3 that reach the least energy, from a quarter of the box.
int solved_clusters(Options options) {
  Vector x0(15);
  for (Index k = 0; k < x0.size(); ++k) x0[k] = 2 * std::sin(7.0 * static_cast<double>(k + 1));
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    options.ftarget = -9.1038;
    options.seed = seed;
    solved += minimize(lennard_jones, x0, 1, without_tolerances(options)).success ? 1 : 0;
  }
  return solved;
}

TEST(Patience, EndsOnRuggedGround) { EXPECT_GE(solved_clusters({.maxiter = 4000}), 8); }  // 48000 evaluations

TEST(Patience, PlansForItsBudget) { EXPECT_GE(solved_clusters({.maxfevals = 30000}), 8); }

TEST(Patience, SmallBudgetsAreUsedAsWellAsByCma) {
  const auto median_of = [](const char* method) {
    std::vector<double> values;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      values.push_back(
          minimize(test::sphere, Vector::Constant(4, 3), 2, {.maxfevals = 150, .method = method, .seed = seed}).fun);
    }
    return median(values);
  };
  EXPECT_LE(median_of("ig-xnes"), 1.1 * median_of("cma"));
}

/// Distribution after so many generations on values that have nothing to do with the candidates.
Start after_random_values(Index d, int generations, std::optional<std::int64_t> budget, std::uint64_t seed) {
  const auto strategy = make_strategy("ig-xnes", {.start = {Vector::Zero(d), Vector::Ones(d)}, .budget = budget});
  CounterNormals normals(seed);
  test::RandomValues values(seed);
  for (int t = 0; t < generations; ++t) {
    const Matrix& x = strategy->ask(static_cast<std::uint64_t>(t), normals);
    strategy->tell({x, values(x.cols())});
  }
  return strategy->distribution().snapshot();
}

TEST(Patience, DoesNotEndOnARandomObjective) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const double unplanned = after_random_values(5, 12500, {}, seed).sigma();  // 100000 evaluations
    EXPECT_GT(unplanned, 0.5) << seed;
    EXPECT_LT(unplanned, 2) << seed;
    const double planned = after_random_values(5, 1000, 8000, seed).sigma();
    EXPECT_GT(planned, 1.0 / 3) << seed;
    EXPECT_LT(planned, 3) << seed;
  }
}

TEST(Patience, HoldsOnNoise) {
  std::vector<double> distances;
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    test::RandomValues noise(seed);
    const auto noisy = [&](const Matrix& x, Vector& f) { f = x.colwise().squaredNorm().transpose() + noise(x.cols()); };
    const Options options{.maxfevals = 10000, .method = "ig-xnes", .seed = seed};
    distances.push_back(minimize(noisy, Vector::Constant(10, 3), 2, without_tolerances(options)).xfavorite.norm());
  }
  EXPECT_LT(median(distances), 0.22);  // 0.12 without a plan, 0.34 without probes, 0.8 with CMA-ES
}

Patience patience_for(std::optional<std::int64_t> budget) {
  return {ig_constants(10, untruncated_weights(10)), 10, 10, budget};
}

TEST(Urgency, FollowsTheEvaluationsThatAreLeft) {
  Patience patience = patience_for(4000);
  patience.count(1000);
  EXPECT_NEAR(patience.urgency(1, 1), 200.0 * 10 / 3000 - 0.02, 1e-15);
  patience.count(2900);  // not beyond half of the plan
  EXPECT_NEAR(patience.urgency(1, 1), 200.0 * 10 / 2000 - 0.02, 1e-15);
}

TEST(Urgency, IsNoneForLargeBudgetsAndWithoutOne) {
  for (const auto budget : {std::optional<std::int64_t>(200000), std::optional<std::int64_t>()}) {
    Patience patience = patience_for(budget);
    EXPECT_EQ(patience.urgency(1, 1), 0);
    patience.count(199990);
    EXPECT_EQ(patience.urgency(1, 1), 0);
  }
}

/// Probes with this information, and the number of populations it takes.
int probe_through(Patience& patience, double information, double sigma = 1) {
  int populations = 0;
  for (; patience.is_probing(); ++populations) patience.probe(information, sigma);
  return populations;
}

TEST(Probe, NoiseEndsUrgencyAndRuggednessKeepsIt) {
  for (const double information : {0.0, 0.9}) {
    Patience patience = patience_for(10000);
    patience.count(10);
    EXPECT_GT(patience.urgency(0.1, 1), 0.1);
    ASSERT_TRUE(patience.is_probing());
    EXPECT_EQ(patience.scale(), 1.0 / 16);
    // 4 over the distance from 0.1 + 0.6 10/11/2, the middle of the gate.
    EXPECT_EQ(probe_through(patience, information), information == 0.0 ? 11 : 8);
    EXPECT_EQ(patience.scale(), 1);
    EXPECT_EQ(patience.urgency(0.1, 1) > 0, information > 0);
    EXPECT_FALSE(patience.is_probing());
    patience.urgency(0.1, 0.06);  // below the scales that were compared
    EXPECT_TRUE(patience.is_probing());
  }
}

TEST(Probe, ComesWhenSigmaHasStoodStillBehindAShutGate) {
  Patience patience = patience_for({});
  patience.count(10000);
  EXPECT_EQ(patience.urgency(1, 1), 0);  // open
  patience.count(9990);
  patience.urgency(0.01, 1);
  EXPECT_FALSE(patience.is_probing());
  patience.count(10);
  patience.urgency(0.01, 0.92);
  ASSERT_TRUE(patience.is_probing());
  probe_through(patience, 0.9);
  EXPECT_NEAR(patience.urgency(0.01, 0.92), 0.18, 1e-15);  // as if 1000 d evaluations were left
}

TEST(Probe, DoesNotComeWhileSigmaMovesNorAgainSoonOnNoise) {
  Patience patience = patience_for({});
  patience.urgency(1, 1);
  patience.count(10000);
  patience.urgency(0.01, 0.9);
  EXPECT_FALSE(patience.is_probing());
  patience.count(10000);
  patience.urgency(0.01, 0.9);
  ASSERT_TRUE(patience.is_probing());
  probe_through(patience, 0, 0.9);
  patience.count(19990);
  EXPECT_EQ(patience.urgency(0.01, 0.9), 0);
  EXPECT_FALSE(patience.is_probing());
  patience.count(10);
  patience.urgency(0.01, 0.9);
  EXPECT_TRUE(patience.is_probing());
}

}  // namespace
}  // namespace surefoot
