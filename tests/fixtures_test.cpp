#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <tuple>

#include "experiments/replay.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using test::fixtures;

void expect_agreement(const char* file, ShapeRoute route, std::size_t quantities, int iterations = 30) {
  const ReplayReport report = replay(fixtures / file, route);
  EXPECT_EQ(report.iterations, iterations);
  EXPECT_TRUE(report.same_order);
  EXPECT_EQ(report.deviations.size(), quantities);
  for (const auto& [quantity, deviation] : report.deviations) EXPECT_LE(deviation, 1e-9) << quantity;
}

class Fixtures : public testing::TestWithParam<std::tuple<const char*, ShapeRoute>> {};

TEST_P(Fixtures, AgreeInEveryQuantityOfEveryIteration) {
  const auto& [file, route] = GetParam();
  expect_agreement(file, route, 10);  // f, m, sigma, B, p_Sigma, l_theta, gamma, E2, eta_sigma, eta_B
}

TEST(FixturesOfCma, AgreeInEveryQuantityOfEveryIteration) {
  for (const char* file : {"cma_active_d3_l6.json", "cma_active_d10_l12.json"}) {
    SCOPED_TRACE(file);
    expect_agreement(file, ShapeRoute::automatic, 6);  // f, m, sigma, C, p_sigma, p_c
  }
}

TEST(FixturesOfSeparableMethods, AgreeInEveryQuantityOfEveryIteration) {
  for (const char* file : {"snes_d3_l6.json", "snes_d10_l12.json"}) {
    SCOPED_TRACE(file);
    expect_agreement(file, ShapeRoute::automatic, 3);  // f, m, sigma
  }
  for (const char* file : {"sepcma_d3_l6.json", "sepcma_d10_l12.json"}) {
    SCOPED_TRACE(file);
    expect_agreement(file, ShapeRoute::automatic, 6);  // f, m, sigma, C_diag, p_sigma, p_c
  }
}

TEST(FixturesOfDistanceWeights, AgreeInEveryQuantityOfEveryIteration) {
  for (const ShapeRoute route : {ShapeRoute::dense, ShapeRoute::low_rank}) {
    for (const char* file : {"dxnes_d3_l6.json", "dxnes_d10_l6.json", "dxnes_d10_l12.json"}) {
      SCOPED_TRACE(file);
      expect_agreement(file, route, 5);  // f, m, sigma, B, p_sigma
    }
    for (const char* file : {"dxnesic_d3_l6.json", "dxnesic_d10_l12.json"}) {
      SCOPED_TRACE(file);
      expect_agreement(file, route, 6);  // the same and gamma
    }
  }
  for (const char* file : {"fmnes_d3_l6.json", "fmnes_d10_l12.json"}) {
    SCOPED_TRACE(file);
    expect_agreement(file, ShapeRoute::automatic, 7);  // the same, gamma and p_c
  }
}

TEST(FixturesOfCrFmNes, AgreeInEveryQuantityOfEveryIteration) {
  for (const char* file : {"crfmnes_d3_l6.json", "crfmnes_d10_l12.json"}) {
    SCOPED_TRACE(file);
    expect_agreement(file, ShapeRoute::automatic, 7);  // f, m, sigma, D, v, p_sigma, p_c
  }
}

TEST(FixturesOfLraCma, AgreeInEveryQuantityOfEveryIteration) {
  for (const char* file : {"lracma_authors_d3_l7.json", "lracma_authors_d10_l10.json"}) {
    SCOPED_TRACE(file);
    // f, m, sigma, C, p_sigma, p_c, E_m, E_Sigma, V_m, V_Sigma, eta_m, eta_Sigma, hsig
    expect_agreement(file, ShapeRoute::automatic, 13);
  }
  for (const char* file : {"lracma_cmaeslib_d3_l6.json", "lracma_cmaeslib_d10_l12.json"}) {
    SCOPED_TRACE(file);
    expect_agreement(file, ShapeRoute::automatic, 12);  // the same without hsig
  }
}

TEST(FixturesOfPsaCma, AgreeInEveryQuantityOfEveryIteration) {
  for (const char* file : {"psa_cma_d3_l8.json", "psa_cma_d10_l12.json", "psa_cma_d10_l10_rastrigin.json"}) {
    SCOPED_TRACE(file);
    // f, m, sigma, C, p_sigma, p_c, gamma_sigma, gamma_c, p_m, p_Sigma, E, p_theta2, gamma_theta, lambda_real, lam
    expect_agreement(file, ShapeRoute::automatic, 15);
  }
}

TEST(FixturesOfSelfCma, AgreeInEveryQuantityOfEveryIteration) {
  for (const char* file : {"self_cma_d3_l16.json", "self_cma_d10_l40.json"}) {
    SCOPED_TRACE(file);
    // f, m, sigma, C, p_sigma, p_c, theta, and the second CMA-ES's m, sigma, C, p_sigma, p_c
    expect_agreement(file, ShapeRoute::automatic, 12);
  }
}

TEST(FixturesOfLmMaEs, AgreeInEveryQuantityOfEveryIteration) {
  for (const char* file : {"lm_ma_es_d10_l4.json", "lm_ma_es_d40_l15.json"}) {
    SCOPED_TRACE(file);
    expect_agreement(file, ShapeRoute::automatic, 5);  // f, m, sigma, p_sigma, M
  }
}

TEST(FixturesOfIgo, AgreeInEveryQuantityOfEveryIteration) {
  for (const char* file : {"igo_d3_l6.json", "igo_d10_l12.json", "igo_ml_d3_l6.json", "igo_ml_d10_l12.json",
                           "gigo_d3_l6.json", "gigo_d10_l12.json", "rank_mu_d3_l6.json", "rank_mu_d10_l12.json"}) {
    SCOPED_TRACE(file);
    expect_agreement(file, ShapeRoute::automatic, 3);  // f, m, C
  }
}

TEST(FixturesOfEnes, AgreeInEveryQuantityOfEveryIteration) {
  for (const char* file : {"enes_d3_l30.json", "enes_d10_l40.json", "enes_mix_d3_l30.json", "enes_mix_d10_l40.json"}) {
    SCOPED_TRACE(file);
    expect_agreement(file, ShapeRoute::automatic, 3);  // f, m, A
  }
}

TEST(FixturesOfAdaptationSampling, AgreeInEveryQuantityOfEveryIteration) {
  for (const ShapeRoute route : {ShapeRoute::dense, ShapeRoute::low_rank}) {
    for (const char* file : {"xnes_as_d3_l6.json", "xnes_as_d10_l12.json"}) {
      SCOPED_TRACE(file);
      expect_agreement(file, route, 5);  // f, m, sigma, B, eta_sigma
    }
  }
  for (const char* file : {"snes_as_d3_l6.json", "snes_as_d10_l12.json"}) {
    SCOPED_TRACE(file);
    expect_agreement(file, ShapeRoute::automatic, 4);  // f, m, sigma, eta_sigma
  }
}

TEST(FixturesOfImportanceMixing, AgreeInEveryQuantityOfEveryIteration) {
  for (const char* file : {"cma_mix_d3_l12.json", "cma_mix_d10_l20.json"}) {
    SCOPED_TRACE(file);
    expect_agreement(file, ShapeRoute::automatic, 6);  // f, m, sigma, C, p_sigma, p_c
  }
  for (const char* file : {"xnes_mix_d3_l12.json", "xnes_mix_d10_l20.json"}) {
    SCOPED_TRACE(file);
    expect_agreement(file, ShapeRoute::automatic, 4);  // f, m, sigma, B
  }
}

TEST(FixturesOfS3Lra, AgreeInEveryQuantityOfEveryIteration) {
  for (const ShapeRoute route : {ShapeRoute::dense, ShapeRoute::low_rank}) {
    // f, m, sigma, B, three rates, p_m, p_B, l_m, l_sigma, l_B, gamma
    expect_agreement("s3_lra_xnes_d3_l7.json", route, 13);
  }
}

TEST(FixturesOfIgXnes, AgreeInEveryQuantityOfEveryIteration) {
  for (const char* file : {"ig_xnes_d3_l7.json", "ig_xnes_d10_l12.json", "ig_xnes_d5_l30.json"}) {
    for (const ShapeRoute route : {ShapeRoute::dense, ShapeRoute::low_rank}) {
      SCOPED_TRACE(file);
      // f, m, sigma, B, eta_m, eta_sigma, eta_B, p_sigma, q, P, r, S, kappa, L
      expect_agreement(file, route, 14);
    }
  }
}

TEST(FixturesOfIgXnes, AgreeWithABudgetAndProbes) {
  // The same and told, evidence, ground sigma
  expect_agreement("ig_xnes_budget_d2_l6.json", ShapeRoute::automatic, 17, 100);
  expect_agreement("ig_xnes_budget_d3_l7.json", ShapeRoute::automatic, 17, 20);  // urgency far above 1
}

INSTANTIATE_TEST_SUITE_P(, Fixtures,
                         testing::Combine(testing::Values("xnes_d3_l6.json", "xnes_d10_l12.json",
                                                          "xnes_lra_sym_d3_l6.json", "xnes_lra_sym_d10_l12.json",
                                                          "xnes_lra_sym_d10_l60.json", "xnes_lra_bframe_d3_l6.json",
                                                          "xnes_lra_bframe_d10_l12.json",
                                                          "xnes_lra_bframe_d10_l60.json"),
                                          testing::Values(ShapeRoute::dense, ShapeRoute::low_rank)),
                         [](const auto& test) {
                           const char* route = std::get<1>(test.param) == ShapeRoute::dense ? "_dense" : "_low_rank";
                           return test::name_of(std::get<0>(test.param) + std::string(route));
                         });

TEST(Replay, NamesAnAlgorithmThatItDoesNotHave) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "surefoot-unknown-algorithm.json";
  std::ofstream(file) << R"({"meta": {"algorithm": "hill climbing", "variant": ""}})";
  try {
    replay(file);
    FAIL() << "it was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("'hill climbing'"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("sep-CMA-ES"), std::string::npos) << error.what();
  }
  std::filesystem::remove(file);
}

TEST(Replay, RejectsWhatIsNoFixture) {
  EXPECT_THROW(replay(fixtures / "README.md"), std::invalid_argument);
  EXPECT_THROW(replay(fixtures / "missing.json"), std::invalid_argument);
}

}  // namespace
}  // namespace surefoot
