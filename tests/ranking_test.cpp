#include "core/ranking/ranking.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/ranking/distance_weights.hpp"
#include "core/ranking/rank_weights.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using test::inf;
using test::nan;

std::vector<Index> order(const Vector& values) {
  Ranking ranking(values.size());
  ranking.sort(values);
  return ranking.order();
}

TEST(Ranking, PutsTheLowestFirst) { EXPECT_EQ(order(Vector{{3, 1, 2}}), (std::vector<Index>{1, 2, 0})); }

TEST(Ranking, KeepsTheSamplingOrderOfEqualValues) {
  EXPECT_EQ(order(Vector{{2, 1, 2, 1, 2}}), (std::vector<Index>{1, 3, 0, 2, 4}));
  EXPECT_EQ(order(Vector{{0.0, -0.0, 0.0}}), (std::vector<Index>{0, 1, 2}));
}

TEST(Ranking, PutsEverythingNonFiniteLastInSamplingOrder) {
  EXPECT_EQ(order(Vector{{nan, 5, inf, -1, -inf, nan}}), (std::vector<Index>{3, 1, 0, 2, 4, 5}));
}

TEST(Ranking, TellsWhetherAnyValueIsFinite) {
  Ranking ranking(3);
  EXPECT_TRUE(ranking.sort(Vector{{nan, 1, inf}}));
  EXPECT_FALSE(ranking.sort(Vector{{nan, inf, -inf}}));
}

TEST(Ranking, IsStableInLargePopulations) {
  Vector values(2000);
  for (Index i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 3);
  const std::vector<Index> sorted = order(values);
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    const double before = values[sorted[k - 1]];
    const double here = values[sorted[k]];
    EXPECT_TRUE(before < here || (before == here && sorted[k - 1] < sorted[k]));
  }
}

TEST(Ranking, AssignsWeightsByRank) {
  Ranking ranking(3);
  ranking.sort(Vector{{3, 1, 2}});
  Vector weights(3);
  ranking.assign(Vector{{0.5, 0.1, -0.6}}, weights);
  EXPECT_EQ(weights, (Vector{{-0.6, 0.5, 0.1}}));
}

TEST(Ranking, OrdersInfeasibleCandidatesByDistance) {
  Ranking ranking(6);
  ranking.sort(Vector{{HUGE_VAL, 2, std::nan(""), 1, HUGE_VAL, HUGE_VAL}});
  EXPECT_EQ(ranking.feasible(), 2);
  ranking.sort_infeasible(Vector{{3, 9, 1, 8, 3, 2}});
  EXPECT_EQ(ranking.order(), (std::vector<Index>{3, 1, 2, 5, 0, 4}));
}

TEST(DistanceWeights, AreThoseOfTheFormula) {
  Ranking ranking(6);
  ranking.sort(Vector{{1, 2, 3, 4, 5, 6}});
  Vector w(6);
  // alpha of DX-NES-IC at d = 3, popsize 6
  assign_distance_weights(ranking, rank_weights(6).w, Vector{{1, 2, 1.5, 1, 1, 1}}, 0.972147126306, w);
  const Vector expected{{0.2093840084, 0.3303998504, -0.0397838588, -1.0 / 6, -1.0 / 6, -1.0 / 6}};
  EXPECT_TRUE(w.isApprox(expected, 1e-9)) << w.transpose();
}

TEST(DistanceWeights, DoNotOverflow) {
  Ranking ranking(4);
  ranking.sort(Vector{{4, 3, 2, 1}});
  Vector w(4);
  assign_distance_weights(ranking, rank_weights(4).w, Vector{{1e5, 1e5, 1e5, 1e4}}, 2, w);
  EXPECT_NEAR(w.sum(), 0, 1e-15);
  EXPECT_NEAR(w[2], 0.75, 1e-15) << "the farthest of the better half takes all";
}

TEST(Ranking, SharesWeightsOfEqualValues) {
  Ranking ranking(6);
  const Vector values{{2, 1, 2, std::nan(""), 3, HUGE_VAL}};
  ranking.sort(values);
  Vector weights(6);
  ranking.assign_averaged(Vector{{6, 5, 3, 2, 1, -1}}, values, weights);
  EXPECT_EQ(weights, (Vector{{4, 6, 4, 0, 2, 0}}));
}

}  // namespace
}  // namespace surefoot
