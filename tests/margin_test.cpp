// The margin of discrete coordinates: reference trajectories, and what must hold whatever happens.

#include "core/discrete/margin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/discrete/categorical.hpp"
#include "core/shapes/normal.hpp"
#include "experiments/given_normals.hpp"
#include "reference/cma_margin.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using MarginJson = nlohmann::json;

MarginJson margin_file(const char* name) { return MarginJson::parse(std::ifstream(test::fixtures / name)); }

Vector margin_vector(const MarginJson& json) {
  const auto numbers = json.get<std::vector<double>>();
  return Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
}

Matrix margin_columns(const MarginJson& rows) {
  Matrix columns(static_cast<Index>(rows.at(0).size()), static_cast<Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) columns.col(static_cast<Index>(i)) = margin_vector(rows[i]);
  return columns;
}

double margin_difference(const Matrix& a, const Matrix& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(b.cwiseAbs().maxCoeff(), 1e-300);
}

TEST(ValueGrid, PutsAThresholdToTheLowerValue) {
  const ValueGrid integers = ValueGrid::integers(-3, 4);
  EXPECT_EQ(integers.cell(0.5), 0);
  EXPECT_EQ(integers.cell(-0.5), -1);
  EXPECT_EQ(integers.cell(1.5), 1);  // neither away from 0 nor to even
  EXPECT_EQ(integers.cell(2.5), 2);
  EXPECT_EQ(integers.cell(std::nextafter(0.5, 1)), 1);
  EXPECT_EQ(integers.cell(-99), -3);
  EXPECT_EQ(integers.cell(99), 4);
  EXPECT_EQ(integers.cell(test::nan), -3);
  const ValueGrid all = ValueGrid::integers(-test::inf, test::inf);
  EXPECT_EQ(all.cell(1e15 + 0.25), 1000000000000000);
  EXPECT_EQ(all.cell(-1e300), -(std::int64_t{1} << 53));
  EXPECT_FALSE(all.is_bounded());
}

TEST(ValueGrid, HasGeometricMeansAsThresholdsOnALogScale) {
  const ValueGrid integers = ValueGrid::integers(1, 1000000, true);
  EXPECT_EQ(integers.cell(std::log(std::sqrt(2.0)) - 1e-9), 1);
  EXPECT_EQ(integers.cell(std::log(std::sqrt(2.0)) + 1e-9), 2);
  EXPECT_EQ(integers.cell(std::log(std::sqrt(999.0 * 1000)) + 1e-9), 1000);
  EXPECT_EQ(integers.cell(std::log(1e6)), 1000000);
  const ValueGrid list = ValueGrid::list({0.01, 0.1, 1, 10}, true);
  EXPECT_EQ(list.cell(std::log(0.3)), 1);
  EXPECT_EQ(list.cell(std::log(0.33)), 2);
}

TEST(MarginStep, AgreesWithTheReferenceCases) {
  const MarginJson file = margin_file("margin_cases.json");
  ASSERT_EQ(file.at("cases").size(), 48U);
  for (const MarginJson& c : file.at("cases")) {
    SCOPED_TRACE(c.dump());
    const auto values = c.at("grid").get<std::vector<double>>();
    const MarginStep step = margin_step(ValueGrid::list(values), c.at("m"), c.at("s"), c.at("alpha"),
                                        c.at("success").get<bool>(), c.at("p"));
    const MarginJson& expected = c.at("remembered");
    EXPECT_NEAR(step.mean, expected.at("m").get<double>(), 1e-9 * std::max(1.0, std::abs(step.mean)));
    EXPECT_NEAR(step.factor, expected.at("factor").get<double>(), 1e-9 * step.factor);
    EXPECT_NEAR(step.p, expected.at("p").get<double>(), 1e-9);

    double m = c.at("m");
    double a = 1;
    reading_copy::correct_margin({values}, c.at("alpha"), c.at("s"), m, a);
    EXPECT_NEAR(m, c.at("paper").at("m").get<double>(), 1e-9 * std::max(1.0, std::abs(m)));
    EXPECT_NEAR(a, c.at("paper").at("factor").get<double>(), 1e-9 * a);
  }
}

std::vector<double> margin_grid(const MarginJson& kind) {
  std::vector<double> values;
  const double step = kind.at("step");
  for (int k = 0; kind.at("low").get<double>() + k * step <= kind.at("high").get<double>(); ++k) {
    values.push_back(kind.at("low").get<double>() + k * step);
  }
  return values;
}

/// The paper's form around `cma`, whose update knows nothing of it.
void replay_paper(const char* name) {
  SCOPED_TRACE(name);
  const MarginJson file = margin_file(name);
  const Vector mean = margin_vector(file.at("init").at("m"));
  const Index d = mean.size();
  const double sigma = file.at("init").at("sigma");
  const auto strategy = make_strategy(
      "cma", {.start = {mean, Vector::Constant(d, sigma)}, .popsize = file.at("lam").get<Index>(), .observed = true});
  std::vector<std::optional<reading_copy::Values>> grids;
  for (const MarginJson& kind : file.at("space")) {
    grids.emplace_back();
    if (kind.at("kind") == "grid") grids.back() = reading_copy::Values{margin_grid(kind)};
  }
  Vector A = Vector::Ones(d);
  for (const MarginJson& step : file.at("steps")) {
    GivenNormals normals(margin_columns(step.at("z")));
    const Matrix x = strategy->ask(0, normals);
    Matrix user = x;
    for (Index j = 0; j < d; ++j) {
      const auto& grid = grids[static_cast<std::size_t>(j)];
      const double m = strategy->distribution().mean()[j];
      for (Index i = 0; grid && i < x.cols(); ++i) user(j, i) = grid->v[grid->cell(m + A[j] * (x(j, i) - m))];
    }
    EXPECT_LE(margin_difference(user, margin_columns(step.at("x_user"))), 1e-9);
    strategy->tell({x, margin_vector(step.at("f"))});
    const Matrix C = test::matrix_of(*strategy, "C");
    Vector shift = Vector::Zero(d);
    for (Index j = 0; j < d; ++j) {
      const auto& grid = grids[static_cast<std::size_t>(j)];
      if (!grid) continue;
      double m = strategy->distribution().mean()[j];
      const double deviation = strategy->distribution().sigma() * std::sqrt(C(j, j));
      reading_copy::correct_margin(*grid, file.at("constants").at("alpha"), deviation, m, A[j]);
      shift[j] = m - strategy->distribution().mean()[j];
    }
    strategy->correct(shift, Vector::Ones(d));
    const MarginJson& state = step.at("state");
    EXPECT_LE(margin_difference(strategy->distribution().mean(), margin_vector(state.at("m"))), 1e-9);
    EXPECT_LE(std::abs(strategy->distribution().sigma() / state.at("sigma").get<double>() - 1), 1e-9);
    EXPECT_LE(margin_difference(test::matrix_of(*strategy, "C"), margin_columns(state.at("C"))), 1e-9);
    EXPECT_LE(margin_difference(A, margin_vector(state.at("A"))), 1e-9);
  }
}

TEST(MarginOfThePaper, AgreesWithItsLibrary) {
  for (const char* name : {"cmawm_int_d4_l8.json", "cmawm_bin_d6_l9.json", "cmawm_mixed_d10_l12.json"}) {
    replay_paper(name);
  }
}

TEST(Margin, AgreesWithTheReferenceTrajectoryOfXnes) {
  const MarginJson file = margin_file("margin_xnes_d6_l9.json");
  const MarginJson& init = file.at("init");
  const Vector deviations =
      init.at("sigma").get<double>() * margin_columns(init.at("B")).diagonal();  // B is a diagonal there
  const auto strategy = make_strategy("xnes", {.start = {margin_vector(init.at("m")), deviations},
                                               .popsize = file.at("lam").get<Index>(),
                                               .learning_rate = "fixed"});
  strategy->expect_discrete();
  std::vector<DiscreteCoordinate> coordinates;
  for (const auto& item : file.at("space").items()) {
    coordinates.push_back({std::stol(item.key()), 1, ValueGrid::list(item.value().get<std::vector<double>>())});
  }
  Margin margin(coordinates);
  Vector shift;
  Vector factors;
  int corrections = 0;
  for (const MarginJson& step : file.at("steps")) {
    GivenNormals normals(margin_columns(step.at("z")));
    const Matrix x = strategy->ask(0, normals);
    const Vector f = margin_vector(step.at("f"));
    Matrix user = x;
    for (const auto& [j, unit, grid] : coordinates) {
      for (Index i = 0; i < x.cols(); ++i) user(j, i) = grid.value(grid.cell(x(j, i)));
    }
    EXPECT_EQ(margin_difference(user.bottomRows(4), margin_columns(step.at("x_user")).bottomRows(4)), 0);
    margin.note_successes(x, f, strategy->distribution().mean());
    for (std::size_t n = 0; n < coordinates.size(); ++n) {
      EXPECT_EQ(margin.successes()[static_cast<Index>(n)] != 0,
                step.at("success").at(std::to_string(coordinates[n].coordinate)).get<bool>());
    }
    strategy->tell({x, f});
    EXPECT_LE(margin_difference(test::matrix_of(*strategy, "B"),
                                margin_columns(step.at("before_margin").at("B")).transpose()),
              1e-9);
    Vector before;
    strategy->distribution().deviations(before);
    if (margin.correction(strategy->distribution(), x.cols(), shift, factors)) {
      strategy->correct(shift, factors);
      ++corrections;
    }
    EXPECT_LE(margin_difference(factors, margin_vector(step.at("factors"))), 1e-9);
    const MarginJson& state = step.at("state");
    EXPECT_LE(margin_difference(strategy->distribution().mean(), margin_vector(state.at("m"))), 1e-9);
    EXPECT_LE(std::abs(strategy->distribution().sigma() / state.at("sigma").get<double>() - 1), 1e-9);
    EXPECT_LE(margin_difference(test::matrix_of(*strategy, "B"), margin_columns(state.at("B")).transpose()), 1e-9);
    // Real coordinates keep their standard deviations, and det B stays 1.
    Vector after;
    strategy->distribution().deviations(after);
    EXPECT_LE(margin_difference(after.head(2), before.head(2)), 1e-14);
    EXPECT_NEAR(test::matrix_of(*strategy, "B").determinant(), 1, 1e-12);
  }
  EXPECT_GT(corrections, 10);
}

/// Whatever the method: no discrete coordinate leaves its value less often than alpha.
TEST(Margin, KeepsEveryCoordinateAliveWithEveryMethod) {
  const std::vector<DiscreteCoordinate> coordinates = {
      {1, 1, ValueGrid::integers(-10, 10)}, {3, 1, ValueGrid::integers(0, 1)}, {5, 1, ValueGrid::list({0.5, 1, 4})}};
  for (const MethodInfo& method : method_table()) {
    SCOPED_TRACE(method.name);
    const Index d = std::max<Index>(6, method.smallest_dimension);
    const auto strategy = make_strategy(method.name, {.start = {Vector::Constant(d, 2.3), Vector::Ones(d)}});
    strategy->expect_discrete();
    Margin margin(coordinates);
    CounterNormals normals(7);
    Vector shift;
    Vector factors;
    for (std::uint64_t g = 0; g < 150; ++g) {
      const Matrix x = strategy->ask(g, normals);
      const Index popsize = x.cols();
      Matrix user = x;
      for (const auto& [j, unit, grid] : coordinates) {
        for (Index i = 0; i < popsize; ++i) user(j, i) = grid.value(grid.cell(x(j, i)));
      }
      const Vector f = user.colwise().squaredNorm().transpose();
      margin.note_successes(x, f, strategy->distribution().mean());
      strategy->tell({x, f});
      if (margin.correction(strategy->distribution(), popsize, shift, factors)) strategy->correct(shift, factors);
      Vector s;
      strategy->distribution().deviations(s);
      const double alpha = 1 / static_cast<double>(d * popsize);
      for (std::size_t n = 0; n < coordinates.size(); ++n) {
        const auto& [j, unit, grid] = coordinates[n];
        const double m = strategy->distribution().mean()[j];
        const std::int64_t k = grid.cell(m);
        double leave = 0;
        if (k > grid.first()) leave += std::erfc((m - grid.threshold(k - 1)) / s[j] / std::sqrt(2.0)) / 2;
        if (k < grid.last()) leave += std::erfc((grid.threshold(k) - m) / s[j] / std::sqrt(2.0)) / 2;
        // A population that has become smaller asks for more than the memory allows at once.
        EXPECT_GE(leave, (method.sets_popsize ? 0.1 : 1 - 1e-6) * alpha) << "coordinate " << j << ", generation " << g;
        EXPECT_NEAR(leave, margin.probabilities()[static_cast<Index>(n)], 1e-7);
      }
    }
  }
}

TEST(Categorical, LearnsAndKeepsItsMargin) {
  Categorical categorical({2, 5, 3}, 3);
  CounterNormals normals(3);
  const Vector wanted = (Vector(3) << 1, 3, 0).finished();
  const double least = 1 - std::pow(0.73, 1.0 / 3);
  for (std::uint64_t g = 0; g < 200; ++g) {
    const Matrix choices = categorical.sample(g, normals, 10);
    Vector f(10);
    for (Index i = 0; i < 10; ++i) f[i] = (choices.col(i).array() != wanted.array()).cast<double>().sum();
    categorical.learn(choices, f);
    for (const Vector& q : categorical.probabilities()) {
      EXPECT_NEAR(q.sum(), 1, 1e-12);
      EXPECT_GE(q.minCoeff(), least / static_cast<double>(q.size() - 1) * (1 - 1e-9));
    }
  }
  EXPECT_EQ(categorical.favourites(), wanted);
  EXPECT_TRUE(categorical.has_settled());
}

TEST(Categorical, LearnsNothingFromEqualValues) {
  Categorical categorical({3}, 1);
  CounterNormals normals(3);
  const Matrix choices = categorical.sample(0, normals, 8);
  categorical.learn(choices, Vector::Constant(8, 2.0));
  categorical.learn(choices, Vector::Constant(8, test::inf));
  EXPECT_EQ(categorical.probabilities()[0], Vector(Vector::Constant(3, 1.0 / 3)));
}

}  // namespace
}  // namespace surefoot
