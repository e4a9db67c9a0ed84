#include <gtest/gtest.h>

#include <algorithm>

#include "test_support.hpp"

namespace surefoot {
namespace {

LearningRates first_rates(const LearningRate& learning_rate, Index d = 10) {
  return learning_rate.make({.dimension = d, .popsize = 10, .mu_w = 5})->first();
}

TEST(LearningRate, FactorsScaleTheDefault) {
  const double eta = default_learning_rates(10).sigma;
  EXPECT_EQ(first_rates("fixed").sigma, eta);
  EXPECT_EQ(first_rates("fixed:8").sigma, 8 * eta);
  EXPECT_EQ(first_rates("fixed:factor=8").B, 8 * eta);
  EXPECT_EQ(first_rates("fixed:8").mean, 1);
  EXPECT_EQ(first_rates("auto").sigma, eta);
}

TEST(LearningRate, GivenRatesStandAsTheyAre) {
  const LearningRates rates = first_rates("fixed:eta_m=0.5,eta_sigma=0.25,eta_B=0.125");
  EXPECT_EQ(rates.mean, 0.5);
  EXPECT_EQ(rates.sigma, 0.25);
  EXPECT_EQ(rates.B, 0.125);
  EXPECT_EQ(first_rates("fixed:eta=0.3").sigma, 0.3);
  EXPECT_EQ(first_rates("fixed:eta=0.3").B, 0.3);
}

TEST(LearningRate, TextsAndConstantsMakeTheSamePolicy) {
  EXPECT_EQ(LearningRate(FixedRates{}).text(), "fixed");
  EXPECT_EQ(LearningRate(FixedRates{.factor = 8}).text(), "fixed:factor=8");
  EXPECT_EQ(LearningRate(LraRates{}).text(), "lra");
  const LraRates constants{.alpha_B = 1.5, .beta = 0.1, .eta_sigma_min = 0.01, .frame = PathFrame::B};
  EXPECT_EQ(LearningRate(constants).text(), "lra:frame=B,alpha_B=1.5,beta=0.1,eta_sigma_min=0.01");
  const auto run = [](const LearningRate& rate) {
    return minimize(find_problem("sphere"), Vector::Constant(4, 3), 2,
                    {.learning_rate = rate, .maxiter = 50, .popsize = 20, .seed = 1})
        .xfavorite;
  };
  EXPECT_EQ(run(constants), run(LearningRate(constants).text()));
  EXPECT_NE(run(constants), run("lra"));
}

/// The range that each rate takes in the first generations on the Sphere.
struct Range {
  double sigma_low = 9, sigma_high = 0, B_low = 9, B_high = 0;
};

Range range_of(const char* text) {
  Range range;
  Optimizer search(Vector::Constant(10, 3), 2, {.learning_rate = text, .maxiter = 30, .popsize = 60, .seed = 1});
  while (!search.stop()) {
    search.tell(find_problem("sphere")(search.ask()));
    const Measures rates = search.strategy().measures();
    range.sigma_low = std::min(range.sigma_low, rates["eta_sigma"]);
    range.sigma_high = std::max(range.sigma_high, rates["eta_sigma"]);
    range.B_low = std::min(range.B_low, rates["eta_B"]);
    range.B_high = std::max(range.B_high, rates["eta_B"]);
  }
  return range;
}

TEST(LearningRate, EachConstantOfLraActsOnItsOwnRate) {
  const double eta = default_learning_rates(10).sigma;
  const Range published = range_of("lra");
  EXPECT_EQ(published.sigma_high, published.B_high) << "equal constants keep the rates equal";
  EXPECT_EQ(published.sigma_high, 1);
  EXPECT_GE(published.sigma_low, eta);

  EXPECT_EQ(range_of("lra:eta_sigma_max=0.15").sigma_high, 0.15);
  EXPECT_GT(range_of("lra:eta_sigma_max=0.15").B_high, 0.15);
  EXPECT_EQ(range_of("lra:eta_B_max=0.15").B_high, 0.15);
  EXPECT_GT(range_of("lra:eta_B_max=0.15").sigma_high, 0.15);
  EXPECT_EQ(range_of("lra:alpha_sigma=1e9").sigma_high, eta);
  EXPECT_GT(range_of("lra:alpha_sigma=1e9").B_high, eta);
  EXPECT_EQ(range_of("lra:alpha_B=1e9").B_high, eta);
  EXPECT_LT(range_of("lra:beta_sigma=1e-6").sigma_high, 1.01 * eta);
  EXPECT_LT(range_of("lra:beta_B=1e-6").B_high, 1.01 * eta);
  EXPECT_EQ(range_of("lra:alpha=1e9,eta_sigma_min=0.02").sigma_low, 0.02);
  EXPECT_EQ(range_of("lra:alpha=1e9,eta_B_min=0.03").B_low, 0.03);
}

// Constants at d = 10 [Ujihara2026]: alpha_sigma = 3, alpha_B = 2, and the limits of the rates.
TEST(LearningRate, ConstantsOfS3LraDependOnTheDimension) {
  const auto end_of = [](const char* rate) {
    return minimize(find_problem("ellipsoid"), Vector::Constant(10, 3), 2,
                    {.learning_rate = rate, .maxiter = 300, .seed = 1})
        .xfavorite;
  };
  EXPECT_EQ(end_of("s3-lra"), end_of("s3-lra:alpha_sigma=3,alpha_B=2"));
  EXPECT_NE(end_of("s3-lra"), end_of("s3-lra:alpha_sigma=3.1"));

  EXPECT_NEAR(range_of("s3-lra:alpha_sigma=1e9,beta_sigma_dec=9").sigma_low, 0.0100609478, 5e-11);
  EXPECT_EQ(range_of("s3-lra:alpha_sigma=1e-9").sigma_high, 1);
  EXPECT_NEAR(range_of("s3-lra:alpha_B=1e9,beta_B=9").B_low, 0.0201218957, 5e-11);
  EXPECT_NEAR(range_of("s3-lra:alpha_B=1e-9").B_high, 0.150914217, 5e-10);
  EXPECT_EQ(LearningRate(S3LraRates{.c = 0.02, .frame = PathFrame::B}).text(), "s3-lra:frame=B,c=0.02");
}

TEST(LearningRate, EachConstantOfGeodesicActs) {
  const double eta = default_learning_rates(10).sigma;
  const Range one = range_of("geodesic");
  EXPECT_EQ(one.sigma_high, one.B_high);
  EXPECT_GT(one.sigma_high, 2 * eta);
  EXPECT_GE(one.sigma_low, eta);
  EXPECT_EQ(range_of("geodesic:eta_max=0.15").B_high, 0.15);
  EXPECT_EQ(range_of("geodesic:alpha=1e9,eta_min=0.02").B_low, 0.02);
  EXPECT_LT(range_of("geodesic:speed=0.001").B_high, 1.04 * eta);
  const Range separate = range_of("geodesic:separate,damping=0");
  EXPECT_GT(separate.sigma_high, separate.B_high);
  EXPECT_GE(separate.sigma_low, eta);
  EXPECT_LT(range_of("geodesic:separate,damping=1e9").sigma_low, eta);
  EXPECT_EQ(LearningRate(GeodesicRates{.beta = 0.1, .rates = RateCoupling::separate}).text(),
            "geodesic:rates=separate,beta=0.1");
}

TEST(LearningRate, TableListsWhatCanBeMade) {
  for (const LearningRateInfo& info : learning_rate_table()) {
    EXPECT_NO_THROW(first_rates(info.name));
    EXPECT_FALSE(info.citation.empty());
  }
}

}  // namespace
}  // namespace surefoot
