// The relatives of CMA-ES: what holds for each of them besides its reference trajectories.

#include <gtest/gtest.h>

#include <cmath>

#include "core/shapes/low_rank_shape.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

std::unique_ptr<Strategy> make(const std::string& method, Index d, std::optional<Index> popsize = {}) {
  return make_strategy(method, {.start = {Vector::Constant(d, 3), Vector::Constant(d, 2)}, .popsize = popsize});
}

TEST(LowRankShape, IsTheProductOfItsFactors) {
  const Index d = 7;
  LowRankShape shape({Vector::Zero(d), Vector::LinSpaced(d, 1, 2)}, 1);
  shape.M.resize(d, 4);
  CounterNormals(1).fill(0, shape.M);
  Blocks blocks(shape.dimension());
  shape.update(3, blocks);
  Matrix A = Matrix::Identity(d, d);
  for (Index j = 0; j < 3; ++j) {
    const double c = std::pow(1.5, -static_cast<double>(j)) / 7;
    A = ((1 - c) * A + c * shape.M.col(j) * (shape.M.col(j).transpose() * A)).eval();
  }
  const Matrix squares = A.transpose() * A;
  const Vector lengths = Eigen::SelfAdjointEigenSolver<Matrix>(squares).eigenvalues().reverse().cwiseSqrt();
  EXPECT_TRUE(shape.axis_lengths().isApprox(lengths, 1e-12));
  A = (shape.s.asDiagonal() * A).eval();

  Matrix z = Matrix::Identity(d, d);
  Matrix y;
  shape.multiply(z, y);
  EXPECT_TRUE(y.isApprox(A, 1e-13));
  shape.solve(y);
  EXPECT_TRUE(y.isApprox(z, 1e-12));
  Vector deviations;
  shape.deviations(deviations);
  EXPECT_TRUE(deviations.isApprox(A.rowwise().norm(), 1e-13));
  Vector axis;
  shape.axis(2, axis);
  EXPECT_TRUE(axis.isApprox(A.col(2), 1e-13));
}

/// The normals of a source, rotated.
class Rotated final : public NormalSource {
 public:
  explicit Rotated(Matrix rotation) : rotation_(std::move(rotation)) {}
  void fill(std::uint64_t generation, Eigen::Ref<Matrix> z) override {
    CounterNormals(1).fill(generation, z);
    z = (rotation_ * z).eval();
  }

 private:
  Matrix rotation_;
};

TEST(LmMaEs, IsInvariantUnderRotation) {
  const Index d = 12;
  Matrix random(d, d);
  CounterNormals(8).fill(0, random);
  const Matrix R = test::orthogonal(random);
  const Vector ones = Vector::Ones(d);
  const auto base = make_strategy("lm-ma-es", {.start = {3 * ones, ones}});
  const auto rotated = make_strategy("lm-ma-es", {.start = {3 * (R * ones), ones}});
  CounterNormals normals(1);
  Rotated rotated_normals(R);
  for (std::uint64_t t = 0; t < 60; ++t) {
    const Matrix& population = base->ask(t, normals);
    const Matrix& other = rotated->ask(t, rotated_normals);
    ASSERT_TRUE(other.isApprox(R * population, 1e-9)) << t;
    const Vector values = (Vector::LinSpaced(d, 1, 30).asDiagonal() * population).colwise().squaredNorm().transpose();
    base->tell({population, values});
    rotated->tell({other, values});
  }
}

TEST(PsaCma, AsksForMoreCandidatesWhereRankingsAreRandom) {
  const auto strategy = make("psa-cma", 10);
  CounterNormals normals(1);
  test::RandomValues random(1);
  for (std::uint64_t t = 0; t < 60; ++t) {
    const Matrix& population = strategy->ask(t, normals);
    strategy->tell({population, random(population.cols())});
  }
  EXPECT_GT(strategy->popsize(), 40);
}

TEST(PsaCma, StaysWithinItsLimit) {
  const auto strategy = make("psa-cma:lambda_max=25", 10);
  CounterNormals normals(1);
  test::RandomValues random(1);
  for (std::uint64_t t = 0; t < 60; ++t) {
    const Matrix& population = strategy->ask(t, normals);
    ASSERT_LE(population.cols(), 25);
    strategy->tell({population, random(population.cols())});
  }
  EXPECT_EQ(strategy->popsize(), 25);
}

// The first estimate of the ratio is beta/(2 - beta), whatever the values are.
TEST(LraCma, BeginsWithKnownRates) {
  for (const char* method : {"lra-cma", "lra-cma:form=cmaes"}) {
    const auto strategy = make(method, 6);
    CounterNormals normals(1);
    const Matrix& population = strategy->ask(0, normals);
    const Vector values = population.colwise().squaredNorm().transpose();
    strategy->tell({population, values});
    EXPECT_NEAR(strategy->measures()["eta_m"], 0.908245464553, 1e-11);
    EXPECT_NEAR(strategy->measures()["eta_Sigma"], 0.970762264332, 1e-11);
  }
}

TEST(SelfCma, BeginsWithTheRatesOfCma) {
  const auto strategy = make("self-cma", 10);
  EXPECT_EQ(strategy->popsize(), 100);
  EXPECT_NEAR(strategy->measures()["c_1"], 0.012931871565, 1e-11);
  EXPECT_NEAR(strategy->measures()["c_mu"], 0.292498416015, 1e-11);
  EXPECT_NEAR(strategy->measures()["c_c"], 0.345307647356, 1e-11);
}

TEST(CmaFamily, FitsPopulationsToTheMethod) {
  const Vector x0 = Vector::Zero(20);
  EXPECT_EQ(Optimizer(x0, 1, {.method = "self-cma", .popsize = 12}).options().popsize, 60);
  EXPECT_EQ(Optimizer(x0, 1, {.method = "lm-ma-es", .popsize = 12}).options().popsize, 9);
  EXPECT_THROW(Optimizer({1, 2, 3}, 1, {.method = "lm-ma-es"}), std::invalid_argument);
  EXPECT_THROW(Optimizer(x0, 1, {.method = "lra-cma:beta_m=1"}), std::invalid_argument);
  EXPECT_THROW(Optimizer(x0, 1, {.method = "lra-cma:form=other"}), std::invalid_argument);
  EXPECT_THROW(Optimizer(x0, 1, {.method = "psa-cma:alpha=-1"}), std::invalid_argument);
}

}  // namespace
}  // namespace surefoot
