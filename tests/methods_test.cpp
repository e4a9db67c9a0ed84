// The table of methods: whatever has a row can be made, is documented and agrees with reference trajectories.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>

#include "core/methods/sampler.hpp"
#include "experiments/replay.hpp"
#include "folder_test.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

std::string message_of(const std::string& method, const LearningRate& learning_rate = "auto") {
  try {
    Optimizer({0, 0}, 1, {.learning_rate = learning_rate, .method = method});
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Methods, AllHaveReferenceTrajectories) {
  std::set<std::string> replayed;
  for (const auto& file : std::filesystem::directory_iterator(test::fixtures)) {
    const std::string name = file.path().filename();
    if (file.path().extension() != ".json") continue;
    if (name.starts_with("cmawm_") || name.starts_with("margin_")) continue;  // steps of a margin: margin_test.cpp
    const ReplayReport report = replay(file.path());
    EXPECT_LE(report.largest(), replay_tolerance) << file.path();
    EXPECT_TRUE(report.same_order) << file.path();
    replayed.insert(report.method);
  }
  for (const MethodInfo& method : method_table()) EXPECT_EQ(replayed.count(method.name), 1U) << method.name;
}

TEST(Methods, AllAreDocumented) {
  const std::filesystem::path docs = std::filesystem::path(SUREFOOT_TEST_DATA) / "../../docs/reference";
  const std::string page = test::content(docs / "methods.md");
  const std::string bibliography = test::content(docs / "bibliography.md");
  const std::string family = test::content(docs / "../pictures/family.svg");  // by scripts/family_tree
  for (const MethodInfo& method : method_table()) {
    EXPECT_NE(family.find(">" + method.name), std::string::npos) << method.name;
    EXPECT_NE(page.find("\n## " + method.name + "\n"), std::string::npos) << method.name;
    EXPECT_NE(page.find("[" + method.citation + "]"), std::string::npos) << method.name;
    EXPECT_NE(bibliography.find("**[" + method.citation + "]**"), std::string::npos) << method.citation;
    EXPECT_FALSE(method.summary.empty()) << method.name;
  }
}

TEST(Methods, AllSolveTheSphere) {
  for (const MethodInfo& method : method_table()) {
    const Result result = minimize(test::sphere, Vector::Constant(10, 3), 2,
                                   {.ftarget = 1e-8, .method = method.name, .restarts = "none", .seed = 1});
    EXPECT_TRUE(result.success) << method.name << ": " << result.message;
    const int limit = method.name == "igo" ? 20000 : 10000;  // it has the small rate of one update alone
    EXPECT_LT(result.nfev, limit) << method.name;
  }
}

TEST(Methods, AllGoOnFromACheckpointBitForBit) {
  for (const MethodInfo& method : method_table()) {
    const Options options = {.maxiter = 40, .method = method.name, .seed = 1};
    const Vector x0 = Vector::Constant(9, 3);
    const Vector sigma0{{1, 2, 4, 8, 16, 1, 2, 4, 8}};
    Optimizer whole(x0, sigma0, options);
    Optimizer resumed(x0, sigma0, options);
    while (!whole.stop()) {
      whole.tell(whole.ask().colwise().squaredNorm().transpose());
      if (whole.nit() == 20) resumed.set_state(whole.state());
    }
    while (!resumed.stop()) resumed.tell(resumed.ask().colwise().squaredNorm().transpose());
    EXPECT_EQ(resumed.result().fun, whole.result().fun) << method.name;
    EXPECT_EQ(resumed.result().xfavorite, whole.result().xfavorite) << method.name;
    const Start start = distribution_of_state(whole.state());
    EXPECT_TRUE(start.covariance().isApprox(whole.distribution().covariance(), 1e-12)) << method.name;
    EXPECT_EQ(start.factor.has_value(), method.scale == Scale::quadratic) << method.name;
  }
}

TEST(Methods, AutoIsResolvedBeforeEverythingElse) {
  EXPECT_EQ(Optimizer({0, 0}, 1).options().method, "ig-xnes");
  EXPECT_EQ(Optimizer({0, 0}, 1).options().learning_rate.text(), "auto") << "the method sets its own";
  const Optimizer lra({0, 0}, 1, {.learning_rate = "lra"});
  EXPECT_EQ(lra.options().method, "xnes");
  EXPECT_EQ(lra.options().learning_rate.text(), "lra");
  EXPECT_EQ(Optimizer({0, 0}, 1, {.method = "xnes"}).options().learning_rate.text(), "fixed");
  for (const MethodInfo& method : method_table()) {
    EXPECT_EQ(Optimizer(Vector::Zero(50), 1, {.method = method.name}).options().popsize,
              method.fitting_popsize(method.default_popsize(50), 50));
    EXPECT_EQ(message_of(method.name, "lra").empty(), method.takes_learning_rate) << method.name;
  }
}

TEST(Methods, TakeConstantsAsText) {
  Optimizer slow({3, 3}, 1, {.method = "snes:eta_sigma=0.125;eta_m=0.5"});
  EXPECT_EQ(slow.strategy().measures()["eta_sigma"], 0.125);
  EXPECT_EQ(slow.strategy().measures()["eta_m"], 0.5);
  EXPECT_EQ(slow.options().method, "snes:eta_sigma=0.125;eta_m=0.5");
  EXPECT_NE(message_of("snes:eta=1").find("known keys are eta_m, eta_sigma"), std::string::npos);
  EXPECT_NE(message_of("snes:eta_sigma=x").find("eta_sigma = 'x'"), std::string::npos);
  EXPECT_NE(message_of("snes:eta_sigma=0").find("eta_sigma = 0"), std::string::npos);
  EXPECT_EQ(message_of("igo:gigo"), "");
  EXPECT_NE(message_of("igo:form=cem").find("form = 'cem'"), std::string::npos);
  EXPECT_NE(message_of("igo:form=cem").find("'rank-mu', 'igo', 'ml' or 'gigo'"), std::string::npos);
  EXPECT_NE(message_of("igo:dt=1").find("dt = 1 is not allowed: it must be between 0 and 1"), std::string::npos);
  EXPECT_NE(message_of("cma:active=1").find("there are no keys"), std::string::npos);
  EXPECT_NE(message_of("nonsense").find("known methods are xnes, cma"), std::string::npos);
}

TEST(Methods, MayWantEvenPopulations) {
  MethodInfo mirrored;
  mirrored.wants_even_popsize = true;
  EXPECT_EQ(mirrored.fitting_popsize(7, 3), 8);
  EXPECT_EQ(mirrored.fitting_popsize(8, 3), 8);
  EXPECT_EQ(find_method("cma").fitting_popsize(7, 3), 7);
}

/// A method that does not learn, but asks for one candidate more in each generation.
class Growing final : public Sampler<DiagonalShape> {
 public:
  Growing() : Sampler({Vector::Zero(3), Vector::Ones(3)}, 4) {}

 private:
  void learn(const Ranking& ranking, const Vector& /*values*/) override {
    resize(static_cast<Index>(ranking.order().size()) + 1);
  }
};

TEST(Sampler, PopulationsMayChangeTheirSize) {
  Growing strategy;
  CounterNormals normals(1);
  for (Index size = 4; size < 8; ++size) {
    EXPECT_EQ(strategy.popsize(), size);
    const Matrix& population = strategy.ask(0, normals);
    ASSERT_EQ(population.cols(), size);
    const Vector values = population.colwise().squaredNorm().transpose();
    strategy.tell({population, values});
    EXPECT_EQ(population.cols(), size) << "the population stays until the next one is asked for";
  }
}

}  // namespace
}  // namespace surefoot
