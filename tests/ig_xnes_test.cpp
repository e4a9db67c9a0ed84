#include <gtest/gtest.h>

#include <cmath>

#include "core/methods/xnes/ig_constants.hpp"
#include "core/ranking/rank_information.hpp"
#include "surefoot/problems.hpp"
#include "surefoot/surefoot.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

TEST(RankInformation, IsThatOfNormalOrderStatistics) {
  // Means of 200000 draws (20000 for 200) with the paper's weights; their standard errors are below 0.3 %.
  for (const auto& [popsize, c_w] : {std::pair{6, 0.9546}, {10, 1.0748}, {15, 1.1467}, {60, 1.2957}, {200, 1.3506}}) {
    EXPECT_NEAR(rank_information(rank_weights(popsize).w).c_w, c_w, 0.01 * c_w) << popsize;
  }
  // Two ranks: w = (1/2, -1/2), e = (-e, e): c_w = e and A = sum_{i != j} w_i w_j e_i e_j/sum w_i^2 = e^2.
  const RankInformation two = rank_information(Vector{{0.5, -0.5}});
  EXPECT_NEAR(two.A, two.c_w * two.c_w, 1e-15);
}

TEST(UntruncatedWeights, HaveTheirCheckValues) {
  const RankWeights weights = untruncated_weights(7);
  const Vector expected{{0.327056380029929, 0.1409147474315645, 0.032028872538506545, -0.04522688516679991,
                         -0.1051511063284147, -0.15411276005985786, -0.1955092484449276}};
  EXPECT_LT((weights.w - expected).norm(), 1e-15);
  EXPECT_NEAR(weights.mu_w, 4.927916269490165, 1e-13);
  EXPECT_NEAR(weights.w.sum(), 0, 1e-15);
}

TEST(IgConstants, HaveTheirCheckValues) {
  const IgConstants c = ig_constants(3, untruncated_weights(7));
  EXPECT_NEAR(c.A, 3.3197241475787935, 1e-12);
  EXPECT_NEAR(c.range, 0.45, 1e-15);
  EXPECT_NEAR(c.beta, 0.03, 1e-15);
  EXPECT_NEAR(c.b, 0.0625, 1e-15);
  EXPECT_NEAR(c.c_1, 0.04886640176917352, 1e-15);
  EXPECT_NEAR(c.c_sigma, 0.5358880832048721, 1e-14);
  EXPECT_NEAR(c.d_sigma, 1.5358880832048722, 1e-14);
  EXPECT_NEAR(c.c_c, 0.5486131754216984, 1e-14);
  EXPECT_NEAR(c.eta_B_min, 0.5690267569468166, 1e-14);
  EXPECT_NEAR(c.eta_sigma_max, 0.6584555711858031, 1e-14);
}

/// Reads one number of a strategy's state.
class Reading final : public StateVisitor {
 public:
  explicit Reading(std::string name) : name_(std::move(name)) {}
  void scalar(std::string_view name, double& value) override {
    if (name == name_) found = value;
  }
  void vector(std::string_view /*name*/, Vector& /*value*/) override {}
  void matrix(std::string_view /*name*/, Matrix& /*value*/) override {}
  double found = std::nan("");

 private:
  std::string name_;
};

double state_of(Strategy& strategy, const char* name) {
  Reading reading(name);
  strategy.visit(reading);
  return reading.found;
}

std::unique_ptr<Strategy> make_gated(Index d, Index popsize) {
  return make_strategy("ig-xnes", {.start = {Vector::Zero(d), Vector::Ones(d)}, .popsize = popsize});
}

/// The gate after so many generations on values that `f` gives.
template <class F>
double gate_after(int generations, Index d, Index popsize, const F& f) {
  const auto strategy = make_gated(d, popsize);
  CounterNormals normals(3);
  for (int t = 0; t < generations; ++t) {
    const Matrix x = strategy->ask(static_cast<std::uint64_t>(t), normals);
    strategy->tell({x, f(x, t)});
  }
  return state_of(*strategy, "kappa");
}

TEST(InformationGate, ShutsWhereTheRankingIsRandom) {
  for (const Index d : {3, 10, 20}) {
    CounterNormals noise(77);
    const auto random = [&](const Matrix& x, int t) {
      Matrix z(1, x.cols());
      noise.fill(static_cast<std::uint64_t>(t), z);
      return Vector(z.row(0).transpose());
    };
    EXPECT_LT(gate_after(3000, d, default_popsize(d), random), 0.1) << d;
  }
}

TEST(InformationGate, StaysOpenOnALinearFunction) {
  for (const Index d : {3, 10, 20}) {
    const auto linear = [](const Matrix& x, int /*t*/) { return Vector(x.row(0).transpose()); };
    EXPECT_GT(gate_after(300, d, default_popsize(d), linear), 0.9) << d;
  }
}

TEST(InformationGate, APlateauMovesNothing) {
  const auto strategy = make_gated(5, 10);
  CounterNormals normals(3);
  const Matrix x = strategy->ask(0, normals);
  strategy->tell({x, Vector::Constant(10, 7)});
  EXPECT_LT(strategy->distribution().mean().norm(), 1e-15);
  EXPECT_NEAR(strategy->distribution().sigma(), 1, 1e-15);
  EXPECT_LT((test::matrix_of(*strategy, "B") - Matrix::Identity(5, 5)).norm(), 1e-15);
}

TEST(InformationGate, SolvesRastriginAtTheDefaultPopsize) {
  int successes = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Result result =
        minimize(find_problem("rastrigin"), Vector::Constant(10, 3), 2,
                 without_tolerances(
                     {.ftarget = 1e-8, .maxfevals = 200000, .method = "ig-xnes", .restarts = "none", .seed = seed}));
    successes += result.success ? 1 : 0;
  }
  EXPECT_GE(successes, 4);
}

TEST(Auto, IsTheGateUnlessALearningRateIsGiven) {
  const auto run = [](Options options) {
    options.maxiter = 50;
    options.seed = 4;
    return minimize(find_problem("rosenbrock"), Vector::Zero(5), 0.5, options).x;
  };
  EXPECT_EQ(run({}), run({.method = "ig-xnes"}));
  EXPECT_EQ(run({.learning_rate = "lra"}), run({.learning_rate = "lra", .method = "xnes"}));
  EXPECT_NE(run({}), run({.method = "xnes"}));
  EXPECT_EQ(run({.restarts = "ipop"}), run({.method = "ig-xnes", .restarts = "ipop"}));
  EXPECT_EQ(Optimizer({1, 2}, 1, {.maxfevals = 5000}).options().method, "ig-xnes") << "what was chosen is shown";
  EXPECT_THROW(run({.learning_rate = "lra", .method = "ig-xnes"}), std::invalid_argument);
}

}  // namespace
}  // namespace surefoot
