// The library against the reading copy: same normals, same values, same trajectory.

#include <gtest/gtest.h>

#include "reference/xnes_lra.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

struct Comparison {
  const char* problem;
  Index popsize;
  const char* learning_rate;
  reading_copy::Constants constants;
};

class ReadingCopy : public testing::TestWithParam<Comparison> {};

TEST_P(ReadingCopy, EqualsTheLibraryFor200Generations) {
  const Comparison& c = GetParam();
  const Problem& problem = find_problem(c.problem);
  const Index d = 10;
  const auto strategy = test::make_xnes(d, c.popsize, c.learning_rate, problem.start, problem.sigma0);
  reading_copy::State copy = reading_copy::start(Vector::Constant(d, problem.start), problem.sigma0, c.constants);
  // The mean starts at |m0| and its rounding errors are never forgotten: they stay of that size while it goes to zero.
  const double rounding = 1e-12 * copy.m.norm();
  CounterNormals normals(1);
  Matrix z(d, c.popsize);

  for (std::uint64_t t = 0; t < 200; ++t) {
    normals.fill(t, z);
    const Matrix& population = strategy->ask(t, normals);
    ASSERT_LE((population - reading_copy::sample(copy, z)).cwiseAbs().maxCoeff(), rounding + 1e-9 * copy.sigma)
        << "generation " << t;
    const Vector values = problem(population);
    strategy->tell({population, values});
    reading_copy::update(copy, z, values, c.constants);

    const Distribution& distribution = strategy->distribution();
    ASSERT_LE((distribution.mean() - copy.m).norm(), rounding) << "generation " << t;
    ASSERT_NEAR(distribution.sigma() / copy.sigma, 1, 1e-9) << "generation " << t;
    ASSERT_TRUE(test::matrix_of(*strategy, "B").isApprox(copy.B, 1e-9)) << "generation " << t;
    ASSERT_NEAR(strategy->measures()["l_theta"], copy.l_theta, 1e-8 * copy.l_theta) << "generation " << t;
    ASSERT_NEAR(strategy->measures()["eta_sigma"], copy.eta_sigma, 1e-8) << "generation " << t;
    ASSERT_NEAR(strategy->measures()["eta_B"], copy.eta_B, 1e-8) << "generation " << t;
  }
}

constexpr reading_copy::Constants lra{};
constexpr reading_copy::Constants frame_of_B{.symmetric_root = false};
constexpr reading_copy::Constants fixed2{.adaptive = false, .factor = 2};

INSTANTIATE_TEST_SUITE_P(, ReadingCopy,
                         testing::Values(Comparison{"sphere", 30, "lra", lra}, Comparison{"ellipsoid", 30, "lra", lra},
                                         Comparison{"rastrigin", 300, "lra", lra},
                                         Comparison{"bohachevsky", 50, "lra", lra},
                                         Comparison{"sphere", 31, "lra:frame=B", frame_of_B},
                                         Comparison{"rastrigin", 200, "lra:frame=B", frame_of_B},
                                         Comparison{"ellipsoid", 20, "fixed:2,frame=symmetric", fixed2},
                                         Comparison{"bohachevsky", 40, "fixed:2,frame=symmetric", fixed2}),
                         [](const auto& test) {
                           const Comparison& c = test.param;
                           return test::name_of(std::string(c.problem) + "_" + std::to_string(c.popsize) + "_" +
                                                c.learning_rate);
                         });

}  // namespace
}  // namespace surefoot
