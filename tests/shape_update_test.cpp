// The two routes of the update of B, against each other and against the formula.

#include "core/methods/xnes/shape_update.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/ranking/rank_weights.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

struct Setting {
  Index d, popsize;
  double eta;
};

std::ostream& operator<<(std::ostream& out, const Setting& s) {
  return out << s.d << "_" << s.popsize << "_" << static_cast<int>(1e4 * s.eta);
}

class ShapeUpdates : public testing::TestWithParam<std::tuple<ShapeRoute, Setting>> {};

// From less than one candidate a dimension to several, and from tiny rates to those that need many squarings.
INSTANTIATE_TEST_SUITE_P(
    , ShapeUpdates,
    testing::Combine(testing::Values(ShapeRoute::dense, ShapeRoute::low_rank),
                     testing::Values(Setting{1, 4, 0.5}, Setting{3, 6, 0.4733}, Setting{10, 4, 0.1}, Setting{10, 10, 1},
                                     Setting{20, 12, 0.0001}, Setting{20, 19, 0.3}, Setting{20, 60, 0.3},
                                     Setting{140, 18, 0.003}, Setting{140, 18, 0.2}, Setting{60, 59, 0.02})),
    [](const auto& test) {
      return std::string(std::get<0>(test.param) == ShapeRoute::dense ? "dense_" : "low_rank_") +
             testing::PrintToString(std::get<1>(test.param));
    });

TEST_P(ShapeUpdates, AreWhatTheFormulasSay) {
  const auto& [route, setting] = GetParam();
  const auto [d, popsize, eta] = setting;
  Matrix z(d, popsize);
  CounterNormals(9).fill(0, z);
  Matrix B(d, d);
  CounterNormals(10).fill(0, B);
  const Matrix before = B;
  const Matrix y = B * z;
  const Vector w = rank_weights(popsize).w;

  const auto update = make_shape_update(route, d, popsize);
  const double G_sigma = update->measure(z, w);
  const Vector delta = z * w;
  const Matrix G_B = NaturalGradient{z, w, delta, G_sigma}.B();
  EXPECT_NEAR(G_B.trace(), 0, 1e-14 * G_B.norm() * static_cast<double>(d));
  update->exponentiate(eta);
  const Matrix growth = test::expm_by_eigenvalues(eta / 2 * G_B);
  EXPECT_GE(update->growth_bound(), growth.operatorNorm() * (1 - 1e-12));

  const Matrix square = growth * growth;
  const Matrix identity = Matrix::Identity(d, d);
  Matrix P = identity * 0.3;
  update->add_gradient({0.9, 3}, P);
  EXPECT_LE((P - (0.9 * 0.3 * identity + 3 * G_B)).norm(), 1e-14 * (1 + G_B.norm()) * static_cast<double>(d));

  P = identity * 0.3;
  update->add_movement(0.2, {0.9, 3}, P);
  const Matrix expected_P = 0.9 * 0.3 * identity + 3 * (std::exp(0.2) * square - identity);
  const double amplification = 1 + eta * G_B.norm();  // of rounding by scaling and squaring
  EXPECT_LE((P - expected_P).norm(), 3e-14 * amplification * expected_P.norm());

  const Matrix O = test::orthogonal(before);
  P = identity * 0.3;
  update->add_rotated_movement(O, 0.2, {0.9, 3}, P);
  EXPECT_LE((P - O * expected_P * O.transpose()).norm(), 3e-14 * amplification * expected_P.norm());

  Vector q = z.col(popsize - 1);
  const Vector expected_q = test::expm_by_eigenvalues(-eta / 2 * G_B) * q;
  const double length = q.norm() + expected_q.norm();
  update->transport(q);
  EXPECT_LE((q - expected_q).norm(), 3e-14 * amplification * length);

  update->apply(y, B);
  EXPECT_LE((B - before * growth).norm(), 1e-14 * amplification * B.norm());
}

/// The ellipsoid of condition 1e12 from far away, so that 1000 generations see much of the way; both strategies get the
/// values of the first one's candidates, since values that differ in the last place may exchange ranks. The mean, which
/// runs to zero, is judged by the way that it has come.
TEST(ShapeRoutes, AgreeFor1000GenerationsOfAnIllConditionedEllipsoid) {
  for (const auto& [d, popsize] : {std::pair<Index, Index>{8, 6}, {20, 12}, {40, 39}}) {
    for (const char* rate : {"fixed:eta=0.05", "lra:frame=B,eta_max=0.1", "lra:eta_max=0.1"}) {
      const auto make = [&, dimension = d, size = popsize](ShapeRoute route) {
        return make_strategy("xnes", {.start = {Vector::Constant(dimension, 3), Vector::Constant(dimension, 2)},
                                      .popsize = size,
                                      .learning_rate = rate,
                                      .observed = true,
                                      .route = route});
      };
      const auto dense = make(ShapeRoute::dense);
      const auto low_rank = make(ShapeRoute::low_rank);
      const Problem& problem = find_problem("ellipsoid");
      CounterNormals normals(3);
      Vector values(popsize);
      for (std::uint64_t t = 0; t < 1000; ++t) {
        const Matrix& population = dense->ask(t, normals);
        const Matrix& other = low_rank->ask(t, normals);
        problem.values(population, values);
        dense->tell({population, values});
        low_rank->tell({other, values});
      }
      const Distribution& a = dense->distribution();
      const Distribution& b = low_rank->distribution();
      const Matrix B = test::matrix_of(*dense, "B");
      EXPECT_LE((B - test::matrix_of(*low_rank, "B")).norm(), 1e-12 * B.norm()) << d << " " << popsize << " " << rate;
      EXPECT_LE((a.mean() - b.mean()).norm(), 1e-12 * 3 * std::sqrt(static_cast<double>(d)))
          << d << " " << popsize << " " << rate;
      EXPECT_NEAR(a.sigma(), b.sigma(), 1e-12 * a.sigma()) << d << " " << popsize << " " << rate;
      const double l_theta = dense->measures()["l_theta"];
      EXPECT_NEAR(l_theta, low_rank->measures()["l_theta"], 1e-12 * l_theta);
    }
  }
}

TEST(ShapeRoutes, BothSeeThatADistributionIsNoLongerFinite) {
  for (const ShapeRoute route : {ShapeRoute::dense, ShapeRoute::low_rank}) {
    const auto strategy = make_strategy("xnes", {.start = {Vector::Zero(10), Vector::Ones(10)},
                                                 .popsize = 6,
                                                 .learning_rate = "fixed:eta=1e4",
                                                 .route = route});
    CounterNormals normals(1);
    EXPECT_TRUE(strategy->distribution().is_finite());
    for (std::uint64_t t = 0; t < 5 && strategy->distribution().is_finite(); ++t) {
      const Matrix& population = strategy->ask(t, normals);
      strategy->tell({population, Vector::LinSpaced(6, 0, 1)});
    }
    EXPECT_FALSE(strategy->distribution().is_finite());
  }
}

}  // namespace
}  // namespace surefoot
