// Numbers that can be computed by hand from the formulas, and the three steps at d = 2, popsize 4 that follow from
// them.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/methods/xnes/rates/covariance_path.hpp"
#include "core/methods/xnes/rates/geodesic_rates.hpp"
#include "core/methods/xnes/rates/rate_range.hpp"
#include "core/ranking/random_ranking.hpp"
#include "core/ranking/rank_weights.hpp"
#include "experiments/given_normals.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

constexpr double digits10 = 5e-11;  // values are printed with 10 to 12 digits

TEST(RankWeights, OfPopsize4) {
  const RankWeights weights = rank_weights(4);
  const Vector expected{{0.480422710309, 0.019577289691, -0.25, -0.25}};
  EXPECT_TRUE(weights.w.isApprox(expected, 1e-11)) << weights.w.transpose();
  EXPECT_NEAR(weights.mu_w, 2.80749628914, digits10);
}

TEST(RankWeights, OfPopsize6) {
  const RankWeights weights = rank_weights(6);
  const Vector expected{{0.418978439843, 0.126155886588, -0.045134326431, -1.0 / 6, -1.0 / 6, -1.0 / 6}};
  EXPECT_TRUE(weights.w.isApprox(expected, 1e-11)) << weights.w.transpose();
  EXPECT_NEAR(weights.mu_w, 3.61234245842, digits10);
}

TEST(RankWeights, OfPopsize10) {
  const RankWeights weights = rank_weights(10);
  const Vector expected{
      {0.329544041987, 0.163373723513, 0.066170318473, -0.00279659496, -0.056291489013, -0.1, -0.1, -0.1, -0.1, -0.1}};
  EXPECT_TRUE(weights.w.isApprox(expected, 1e-11)) << weights.w.transpose();
  EXPECT_NEAR(weights.mu_w, 5.18550326748, digits10);
}

TEST(DefaultRate, DependsOnDimension) {
  EXPECT_NEAR(default_learning_rates(1).sigma, 1.8, 1e-15);
  EXPECT_NEAR(default_learning_rates(2).sigma, 0.783434824588, 5e-13);
  EXPECT_NEAR(default_learning_rates(3).sigma, 0.473266981633, 5e-13);
  EXPECT_NEAR(default_learning_rates(10).B, 0.100609478284, 5e-13);
  EXPECT_NEAR(default_learning_rates(40).B, 0.0158640705520, 5e-14);
  EXPECT_EQ(default_learning_rates(10).mean, 1);
}

TEST(DefaultPopsize, DependsOnDimension) {
  EXPECT_EQ(default_popsize(1), 4);
  EXPECT_EQ(default_popsize(2), 6);
  EXPECT_EQ(default_popsize(10), 10);
  EXPECT_EQ(default_popsize(40), 15);
  EXPECT_EQ(default_popsize(1000), 24);
}

double expectation_at_default_rates(Index d, Index popsize) {
  return expected_squared_movement(d, rank_weights(popsize).mu_w, default_learning_rates(d));
}

TEST(ExpectedMovement, AtDefaultRates) {
  EXPECT_NEAR(expectation_at_default_rates(2, 4), 0.847030843146, 5e-13);
  EXPECT_NEAR(expectation_at_default_rates(3, 6), 0.397657666386, 5e-13);
  EXPECT_NEAR(expectation_at_default_rates(10, 10), 0.107444052586, 5e-13);
  EXPECT_NEAR(expectation_at_default_rates(10, 30), 0.0440028628524, 5e-14);
}

TEST(RateUpdate, FollowsThePathLength) {
  EXPECT_NEAR(adapted_rate(0.2, 1.3, 0.2, {3, 0.9}, {0.1, 1}), 0.265033392660, 5e-13);
  EXPECT_EQ(adapted_rate(0.2, 1.3, 0.2, {0, 1}, {0.199, 1}), 0.199);
  EXPECT_EQ(adapted_rate(0.2, 1.3, 0.2, {1e6, 1}, {0.1, 1}), 1) << "overflow is clipped";
  EXPECT_EQ(adapted_rate(1.8, 1.3, 0.2, {1, 1}, {1.8, 1}), 1) << "the maximum wins over the minimum (d = 1)";
}

// r = (3/0.5 - 1) 0.05/1.95; at rest at r/alpha, otherwise at most one speed a generation.
TEST(RateUpdate, FollowsTheSignal) {
  const double r = signal_to_noise({3, 0.5}, 0.05);
  EXPECT_NEAR(r, 0.25 / 1.95, 1e-15);
  EXPECT_NEAR(steered_rate(0.5, 0.1, 0.2, 0.1), 0.5, 1e-15);
  EXPECT_NEAR(steered_rate(0.5, 0.15, 0.2, 0.1), 0.5 * std::exp(0.05), 1e-15);
  EXPECT_NEAR(steered_rate(0.5, 9, 0.2, 0.1), 0.5 * std::exp(0.1), 1e-15);
  EXPECT_NEAR(steered_rate(0.5, -9, 0.2, 0.1), 0.5 * std::exp(-0.1), 1e-15);
}

// At d = 10, popsize 10, mu_w = 5.1855: 108/(2 mu_w) and 1/mu_w.
TEST(RandomRanking, HasExactExpectations) {
  const double mu_w = rank_weights(10).mu_w;
  EXPECT_NEAR(expected_shape_square(10, mu_w), 10.4136469, 5e-7);
  EXPECT_NEAR(expected_sigma_square(mu_w), 0.192845313, 5e-9);
}

/// The state of a strategy by name.
class Snapshot final : public StateVisitor {
 public:
  explicit Snapshot(Strategy& strategy) { strategy.visit(*this); }
  void scalar(std::string_view name, double& value) override {
    values_[std::string(name)] = Matrix::Constant(1, 1, value);
  }
  void vector(std::string_view name, Vector& value) override { values_[std::string(name)] = value; }
  void matrix(std::string_view name, Matrix& value) override { values_[std::string(name)] = value; }
  [[nodiscard]] const Matrix& operator[](const std::string& name) const { return values_.at(name); }

 private:
  std::map<std::string, Matrix> values_;
};

struct Step {
  Matrix z;  // columns in rank order, by decree
  Vector m;
  double sigma;
  Matrix B;
  Vector p_symmetric;  // p_11, p_12, p_22
  Vector p_frame_of_B;
  double l_symmetric;
  double l_frame_of_B;
};

const std::array<Step, 3>& three_steps() {
  static const std::array<Step, 3> steps = {{
      {Matrix{{1, 0, -1, 0.5}, {0, 1, 0.5, -1}}, Vector{{4.2108454206, 3.2891545794}}, 1.95162984669,
       Matrix{{1.0994093342, 0.0982191076}, {0.0982191076, 0.9183540304}},
       Vector{{0.1043929542, 0.1230276605, -0.1223939816}}, Vector{{0.1043929542, 0.1230276605, -0.1223939816}},
       0.0280748930532, 0.0280748930532},
      {Matrix{{0.5, -1, 1, 0}, {1, 0.5, -1, 0.5}}, Vector{{4.2657649241, 4.3861608989}}, 1.97566689839,
       Matrix{{1.0778796128, 0.3138247188}, {0.2685695756, 1.0059414415}},
       Vector{{0.0757529174, 0.3563796066, 0.0463489662}}, Vector{{0.0757529174, 0.3563796066, 0.0463489662}},
       0.130949789591, 0.130949789591},
      {Matrix{{-1, 1, 0.5, 0}, {-0.5, 1, -0.5, -1}}, Vector{{3.1138978008, 4.3820966256}}, 2.08078759801,
       Matrix{{1.2635255997, 0.4176417026}, {0.4325414166, 0.9344071335}},
       Vector{{0.3602947570, 0.4635621587, -0.0318518094}}, Vector{{0.3523733312, 0.4713956623, -0.0239303836}},
       0.280303299792, 0.284583684305},
  }};
  return steps;
}

void expect_three_steps(const LearningRate& learning_rate, bool symmetric) {
  const auto strategy = test::make_xnes(2, 4, learning_rate, 3, 2);
  for (const Step& step : three_steps()) {
    GivenNormals normals(step.z);
    const Matrix& population = strategy->ask(0, normals);
    strategy->tell({population, Vector{{1, 2, 3, 4}}});
    const Snapshot state(*strategy);
    EXPECT_TRUE(state["m"].isApprox(step.m, 1e-10));
    EXPECT_NEAR(state["sigma"](0), step.sigma, digits10);
    EXPECT_TRUE(state["B"].isApprox(step.B, 1e-10));
    const Matrix& p = state["p_Sigma"];
    EXPECT_TRUE((Vector{{p(0, 0), p(0, 1), p(1, 1)}}.isApprox(symmetric ? step.p_symmetric : step.p_frame_of_B, 1e-9)));
    EXPECT_NEAR(state["l_theta"](0), symmetric ? step.l_symmetric : step.l_frame_of_B, 5e-12);
    EXPECT_NEAR(state["eta_sigma"](0), 0.783434824588, 5e-13) << "clipped to the minimum";
    EXPECT_NEAR(state["eta_B"](0), 0.783434824588, 5e-13);
  }
}

TEST(ThreeSteps, OfTheSymmetricRoot) { expect_three_steps("lra", true); }
TEST(ThreeSteps, OfTheFrameOfB) { expect_three_steps("lra:frame=B", false); }
TEST(ThreeSteps, OfFixedRates) { expect_three_steps("fixed:frame=symmetric", true); }

TEST(Gamma, ApproachesOne) {
  const auto strategy = test::make_xnes(2, 4, "lra");
  CounterNormals normals(1);
  const std::array<double, 3> expected = {0.36, 0.5904, 0.737856};
  for (std::uint64_t t = 0; t < expected.size(); ++t) {
    const Matrix& population = strategy->ask(t, normals);
    strategy->tell({population, Vector{{1, 2, 3, 4}}});
    EXPECT_NEAR(strategy->measures()["gamma"], expected.at(t), 1e-15);
  }
}

}  // namespace
}  // namespace surefoot
