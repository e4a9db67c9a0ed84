// What must hold whatever the objective.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/methods/xnes/rates/geodesic_rates.hpp"
#include "core/ranking/rank_weights.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

TEST(Theorems, WeightsSumToZeroAndDecrease) {
  for (const Index popsize : {2, 3, 4, 5, 7, 10, 101, 1000, 4097}) {
    const Vector w = rank_weights(popsize).w;
    EXPECT_NEAR(w.sum(), 0, 1e-14) << popsize;
    for (Index i = 1; i < popsize; ++i) EXPECT_LE(w[i], w[i - 1]);
    EXPECT_GT(w[0], 0);
  }
}

/// A policy that keeps the rates and looks at every step.
class Spy final : public LearningRatePolicy {
 public:
  explicit Spy(double& largest_trace) : largest_trace_(largest_trace) {}
  [[nodiscard]] LearningRates first() const override { return {1, 0.3, 0.3}; }
  LearningRates next(const AppliedStep& step) override {
    const Matrix G_B = step.gradient.B();
    largest_trace_ = std::max(largest_trace_, std::abs(G_B.trace()) / G_B.norm());
    return step.rates;
  }

 private:
  double& largest_trace_;
};

TEST(Theorems, ShapeGradientHasNoTrace) {
  double largest_trace = 0;
  const LearningRate spy("spy", [&](const LearningRateContext&) { return std::make_unique<Spy>(largest_trace); });
  minimize(find_problem("rosenbrock"), Vector::Zero(6), 0.5, {.learning_rate = spy, .maxiter = 200, .seed = 1});
  EXPECT_GT(largest_trace, 0);
  EXPECT_LT(largest_trace, 1e-14);
}

TEST(Theorems, DeterminantOfBStaysOne) {
  for (const Index d : {1, 2, 3, 10, 30}) {
    const auto strategy = test::make_xnes(d, default_popsize(d), "fixed:eta=0.02");  // B stays well conditioned
    CounterNormals normals(4);
    test::RandomValues random(4);
    for (std::uint64_t t = 0; t < 1000; ++t) {
      const Matrix& population = strategy->ask(t, normals);
      strategy->tell({population, random(population.cols())});
    }
    EXPECT_NEAR(std::log(std::abs(test::matrix_of(*strategy, "B").determinant())), 0, 1e-11) << "d = " << d;
  }
}

Options sixty_generations(const std::string& method) {
  Options options = test::options_of(method);
  options.maxiter = 60;
  options.popsize = 20;
  options.seed = 11;
  return options;
}

Result run(const auto& f, const Vector& x0, const Sigma0& sigma0, const std::string& method) {
  return minimize(f, x0, sigma0, sixty_generations(method));
}

double listed_ellipsoid(const Vector& x) {
  const Problem& problem = find_problem("ellipsoid");
  return problem.value(x.data(), x.size());
}

/// In as many dimensions as the method needs.
Vector start_of(const std::string& method) {
  return Vector::Constant(std::max<Index>(5, test::row_of(method).smallest_dimension), 3);
}

class Invariance : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, Invariance, testing::ValuesIn(test::all_methods()),
                         [](const auto& test) { return test::name_of(test.param); });

/// Methods without correlations know the coordinates. So does enes: its root is triangular, and each row has a
/// baseline.
std::vector<std::string> methods_with_correlations() {
  std::vector<std::string> methods = test::all_methods();
  std::erase_if(methods, [](const std::string& method) {
    return method == "enes" || test::row_of(method).scale == Scale::linear;
  });
  return methods;
}

class InvarianceOfFullShapes : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, InvarianceOfFullShapes, testing::ValuesIn(methods_with_correlations()),
                         [](const auto& test) { return test::name_of(test.param); });

TEST_P(Invariance, UnderTranslation) {
  const Vector x0 = start_of(GetParam());
  Vector shift = Vector::Zero(x0.size());
  shift.head<5>() << 0.5, -1, 2, 4, -8;  // exact in binary, so only rounding of the sums differs
  const Result base = run(listed_ellipsoid, x0, 2, GetParam());
  const Result moved = run([&](const Vector& x) { return listed_ellipsoid(x - shift); }, x0 + shift, 2, GetParam());
  EXPECT_TRUE((moved.x - shift).isApprox(base.x, 1e-8));  // a search makes rounding errors grow
  EXPECT_NEAR(moved.fun, base.fun, 1e-8 * base.fun);
}

TEST_P(Invariance, UnderMonotoneTransformsOfTheValues) {
  const Vector x0 = start_of(GetParam());
  const Result base = run(listed_ellipsoid, x0, 2, GetParam());
  const Result cube = run([](const Vector& x) { return 7 * std::pow(listed_ellipsoid(x), 3); }, x0, 2, GetParam());
  const Result log = run([](const Vector& x) { return std::log(listed_ellipsoid(x)); }, x0, 2, GetParam());
  EXPECT_EQ(cube.x, base.x);
  EXPECT_EQ(log.x, base.x);
}

/// The normals of another source, rotated: what a rotated strategy would draw.
class RotatedNormals final : public NormalSource {
 public:
  RotatedNormals(std::uint64_t seed, Matrix rotation) : normals_(seed), rotation_(std::move(rotation)) {}
  void fill(std::uint64_t generation, Eigen::Ref<Matrix> z) override {
    normals_.fill(generation, z);
    if (z.rows() == rotation_.rows()) z = (rotation_ * z).eval();  // others are no candidates
  }

 private:
  CounterNormals normals_;
  Matrix rotation_;
};

std::unique_ptr<Strategy> strategy_of(const std::string& method, const Start& start) {
  const Options options = sixty_generations(method);
  return make_strategy(options.method,
                       {.start = start, .popsize = options.popsize, .learning_rate = options.learning_rate});
}

TEST_P(InvarianceOfFullShapes, UnderRotation) {
  const Index d = 5;
  Matrix random(d, d);
  CounterNormals(8).fill(0, random);
  const Matrix R = test::orthogonal(random);
  ASSERT_LT(test::deviation_from_orthogonal(R), 1e-13);

  // Axes of different lengths: the principal axes of a sphere are the choice of whoever computes them.
  const Vector x0 = Vector::Constant(d, 3);
  const Vector lengths{{1, 1.5, 2, 3, 4}};
  const Start start = Start::with_factor(x0, lengths.asDiagonal());
  const Start rotated_start = Start::with_factor(R * x0, R * lengths.asDiagonal() * R.transpose());
  const auto base = strategy_of(GetParam(), start);
  const auto rotated = strategy_of(GetParam(), rotated_start);
  CounterNormals normals(11);
  RotatedNormals rotated_normals(11, R);
  for (std::uint64_t t = 0; t < 60; ++t) {
    const Matrix& population = base->ask(t, normals);
    const Matrix& rotated_population = rotated->ask(t, rotated_normals);
    ASSERT_TRUE(rotated_population.isApprox(R * population, 1e-8)) << "generation " << t;
    Vector values(population.cols());
    for (Index i = 0; i < population.cols(); ++i) values[i] = listed_ellipsoid(population.col(i));
    base->tell({population, values});
    rotated->tell({rotated_population, values});
  }
  EXPECT_TRUE(
      rotated->distribution().covariance().isApprox(R * base->distribution().covariance() * R.transpose(), 1e-7));
}

class RandomRankings : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, RandomRankings,
                         testing::Values("fixed:0.02", "lra:eta_min=1e-3,eta_max=1e-3",
                                         "lra:frame=B,eta_min=1e-3,eta_max=1e-3",
                                         // Exact at every rate.
                                         "geodesic:eta_min=0.01,eta_max=0.01", "geodesic:eta_min=1,eta_max=1"),
                         [](const auto& test) { return test::name_of(test.param); });

// l_theta/gamma has mean 1 under a random ranking up to first order in the rates. 600 independent runs of 40
// generations; their average must be within 4 standard errors, and the error small enough for that to mean something.
// On the published formula with the default rates at d = 10, popsize 10 the same average is 1.25 to 1.35.
TEST_P(RandomRankings, GiveAPathOfLengthOne) {
  constexpr int runs = 600;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const auto strategy = test::make_xnes(4, 10, GetParam());
    CounterNormals normals(run, 1);
    test::RandomValues random(run);
    for (std::uint64_t t = 0; t < 40; ++t) {
      const Matrix& population = strategy->ask(t, normals);
      strategy->tell({population, random(10)});
    }
    const double ratio = strategy->measures()["l_theta"] / strategy->measures()["gamma"];
    sum += ratio;
    squares += ratio * ratio;
  }
  const double mean = sum / runs;
  const double error = std::sqrt((squares / runs - mean * mean) / (runs - 1));
  EXPECT_LT(error, 0.03);
  EXPECT_NEAR(mean, 1, 4 * error);
}

/// What `geodesic` sees of step size and shape each, by name.
class Lengths final : public StateVisitor {
 public:
  void scalar(std::string_view name, double& value) override { values[std::string(name)] = value; }
  void vector(std::string_view /*name*/, Vector& /*value*/) override {}
  void matrix(std::string_view /*name*/, Matrix& /*value*/) override {}
  std::map<std::string, double> values;
};

// r = (l/gamma - 1) beta/(2 - beta) has mean 0 for each part alone, whatever the rates are.
TEST(RandomRanking, CarriesNoSignal) {
  constexpr int runs = 1000;
  std::map<std::string, Vector> signals;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const auto strategy = test::make_xnes(4, 10, "geodesic:rates=separate,eta_min=0.5,eta_max=0.5");
    CounterNormals normals(run, 1);
    test::RandomValues random(run);
    for (std::uint64_t t = 0; t < 30; ++t) {
      const Matrix& population = strategy->ask(t, normals);
      strategy->tell({population, random(10)});
    }
    Lengths lengths;
    strategy->visit(lengths);
    for (const char* part : {"l_sigma", "l_B", "l_theta"}) {
      signals[part].conservativeResize(static_cast<Index>(run) + 1);
      signals[part][static_cast<Index>(run)] =
          signal_to_noise({lengths.values.at(part), lengths.values.at("gamma")}, 0.05);
    }
  }
  for (const auto& [part, r] : signals) {
    const double error = std::sqrt((r.array() - r.mean()).square().mean() / runs);
    EXPECT_LT(error, 0.0015) << part;
    EXPECT_NEAR(r.mean(), 0, 4 * error) << part;
  }
}

TEST(Sizes, EveryDimensionAndPopsizeWorks) {
  for (const Index d : {1, 2, 3, 17}) {
    for (const Index popsize : {2, 3, 5, 12, 1501}) {
      for (const std::string& method : test::all_methods()) {
        SCOPED_TRACE(method);
        Options options = without_tolerances(test::options_of(method));
        const MethodInfo& row = test::row_of(method);
        if (d < row.smallest_dimension) continue;
        const Index candidates = row.fitting_popsize(popsize, d);
        options.maxiter = 30;
        options.popsize = popsize;
        options.seed = 1;
        if (row.mixing) options.mixing = 0;  // all candidates are counted
        const Result result = minimize(find_problem("sphere"), Vector::Constant(d, 3), 2, options);
        EXPECT_GE(result.nfev, 1 + 30 * candidates);
        if (!row.sets_popsize) {
          EXPECT_EQ(result.nfev, 1 + 30 * candidates);
        }
        EXPECT_LT(result.fun, 13.0 * static_cast<double>(d)) << "no better than the average first sample";
        EXPECT_TRUE(result.x.allFinite());
      }
    }
  }
}

TEST(Sizes, OneDimensionConverges) {
  for (const std::string& method : test::all_methods()) {
    Options options = test::options_of(method);
    if (test::row_of(method).smallest_dimension > 1) continue;
    options.ftarget = 1e-10;
    options.seed = 3;
    const Result result = minimize([](const Vector& x) { return std::abs(x[0] - 2); }, {30}, 5, options);
    EXPECT_TRUE(result.success) << method << ": " << result.message;
  }
}

}  // namespace
}  // namespace surefoot
