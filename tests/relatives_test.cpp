// What the paper's method grew out of: single steps of IGO and eNES, computed by hand.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "core/methods/igo/geodesic_step.hpp"
#include "core/methods/xnes/rates/as_rates.hpp"
#include "experiments/given_normals.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

TEST(GeodesicStep, ReachesThePointOfTheDifferentialEquation) {
  Vector mean{{0.3, -0.2}};
  Matrix covariance{{1.1, 0.05}, {0.05, 0.8}};
  GeodesicStep(2)(1, 0.25, mean, covariance);
  EXPECT_NEAR(mean[0], 0.30092865, 1e-8);
  EXPECT_NEAR(mean[1], -0.19219261, 1e-8);
  EXPECT_NEAR(covariance(0, 0), 1.01400902, 1e-8);
  EXPECT_NEAR(covariance(0, 1), 0.01951388, 1e-8);
  EXPECT_NEAR(covariance(1, 1), 0.94679591, 1e-8);
}

double ellipsoid_of(const Vector& x) { return find_problem("ellipsoid").value(x.data(), x.size()); }

/// Without a velocity of the mean the geodesic is the matrix exponential of xNES.
TEST(GeodesicStep, WithAMeanAtRestIsTheExponential) {
  const Matrix G{{1.4, 0.2, 0}, {0.2, 0.7, -0.1}, {0, -0.1, 1}};
  Vector mean = Vector::Zero(3);
  Matrix covariance = G;
  GeodesicStep(3)(1, 0.8, mean, covariance);
  EXPECT_EQ(mean.norm(), 0);
  EXPECT_TRUE(covariance.isApprox(test::expm_by_eigenvalues(0.8 * (G - Matrix::Identity(3, 3))), 1e-12));
}

TEST(Igo, HasTheRateOfCmaEs) {
  const auto strategy = make_strategy("igo", {.start = {Vector::Zero(10), Vector::Ones(10)}, .popsize = 10});
  EXPECT_NEAR(strategy->measures()["eta_B"], 0.0231675208, 1e-10);
  EXPECT_EQ(strategy->measures()["eta_m"], 1);
  EXPECT_EQ(strategy->pace(), 1);
  const auto slow = make_strategy("igo:ml", {.start = {Vector::Zero(10), Vector::Ones(10)}, .popsize = 10});
  EXPECT_EQ(slow->pace(), slow->measures()["eta_B"]);
}

TEST(Igo, SolvesTheEllipsoidInEveryForm) {
  for (const char* form : {"igo:rank-mu", "igo:igo", "igo:ml", "igo:gigo"}) {
    const Result result =
        minimize(ellipsoid_of, Vector::Constant(5, 3), 2, {.ftarget = 1e-8, .method = form, .seed = 2});
    EXPECT_TRUE(result.success) << form << ": " << result.message;
    EXPECT_LT(result.nfev, 8000) << form;
  }
}

// By hand, d = 2: baselines .15348022 and .87650101 of the rows of A, .46530148 of the mean.
TEST(Enes, TakesTheExactStep) {
  const auto strategy = make_strategy("enes", {.start = {Vector{{1, 2}}, Vector{{0.5, 0.5}}}, .popsize = 4});
  GivenNormals normals(Matrix{{1, 0.2, -1.5, 0.3}, {-0.5, 0.4, 1, -2}});
  const Matrix& population = strategy->ask(0, normals);
  const Vector values = population.colwise().squaredNorm().transpose();
  strategy->tell({population, values});
  const Start after = strategy->distribution().snapshot();
  EXPECT_NEAR(after.mean[0], 1.0375, 1e-10);
  EXPECT_NEAR(after.mean[1], 1.8139789534, 1e-10);
  const Matrix A = after.factor.value().transpose();
  EXPECT_NEAR(A(0, 0), 0.4490723585, 1e-10);
  EXPECT_NEAR(A(0, 1), -0.0266537306, 1e-10);
  EXPECT_EQ(A(1, 0), 0);
  EXPECT_NEAR(A(1, 1), 0.6102583487, 1e-10);
}

TEST(Enes, KeepsACovarianceWithSmallPopulations) {
  const auto strategy = make_strategy("enes:eta=3", {.start = {Vector::Zero(5), Vector::Ones(5)}, .popsize = 3});
  CounterNormals normals(1);
  test::RandomValues random(1);
  for (std::uint64_t t = 0; t < 50; ++t) {
    const Matrix& population = strategy->ask(t, normals);
    strategy->tell({population, random(3)});
    ASSERT_GT(strategy->distribution().snapshot().factor.value().diagonal().minCoeff(), 0) << t;
  }
}

TEST(Enes, StartsFromAnyRootOfACovariance) {
  const Matrix root{{1, 2, 0}, {0, 1, -1}, {3, 0, 1}};
  const auto strategy = make_strategy("enes", {.start = Start::with_factor(Vector::Zero(3), root)});
  const Start start = strategy->distribution().snapshot();
  EXPECT_TRUE(start.covariance().isApprox(root * root.transpose(), 1e-14));
  EXPECT_TRUE(start.factor.value().isLowerTriangular());
}

// d = 3, q^2 = 1.1.
TEST(AdaptationSampling, WeighsTheRanksOfALongerStep) {
  const Vector squares{{0.14, 1, 2.25, 3, 5, 8}};
  const Vector v = ((1 - 1 / 1.1) / 2 * squares.array() - 1.5 * std::log(1.1)).exp();
  EXPECT_NEAR(v.sum(), 6.0678312552, 1e-10);
  EXPECT_NEAR(confidence(v), 0.4229070196, 1e-10);
  EXPECT_EQ(confidence(Vector::Constant(3, test::inf)), 0);
}

TEST(AdaptationSampling, RefusesConstantsOutOfRange) {
  const auto message_of = [](const char* rate) {
    try {
      Optimizer({0, 0}, 1, {.learning_rate = rate, .method = "xnes"});
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message_of("as:c=0.2;rho=0.4"), "");
  EXPECT_NE(message_of("as:c=1").find("c = 1 is not allowed: it must be between 0 and 1"), std::string::npos);
  EXPECT_NE(message_of("as:factor=1").find("factor = 1"), std::string::npos);
  EXPECT_NE(message_of("as:rho=0").find("rho = 0"), std::string::npos);
  EXPECT_EQ(LearningRate(AsRates{.c = 0.25}).text(), "as:c=0.25");
}

/// Where longer steps are better throughout, as far from the optimum, the rate grows to its limit.
TEST(AdaptationSampling, RaisesTheRateOnASlope) {
  const auto strategy = test::make_xnes(10, 50, "as");
  CounterNormals normals(4);
  const double first = strategy->measures()["eta_sigma"];
  for (std::uint64_t t = 0; t < 40; ++t) {
    const Matrix& population = strategy->ask(t, normals);
    const Vector values = population.row(0).transpose();
    strategy->tell({population, values});
  }
  EXPECT_EQ(strategy->measures()["eta_sigma"], 1);
  EXPECT_NEAR(strategy->measures()["eta_B"], first, 1e-15);
}

}  // namespace
}  // namespace surefoot
