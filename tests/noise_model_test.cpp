// The numerical core of a search under noise: repeats, regressions, windows, the next distribution.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "driver/model/noise/centred_features.hpp"
#include "driver/model/noise/growing_noise.hpp"
#include "driver/model/noise/nested_windows.hpp"
#include "driver/model/noise/regression_search.hpp"
#include "driver/model/noise/robust_fit.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

Matrix standard_normals(Index rows, Index columns, std::uint64_t seed) {
  Matrix z(rows, columns);
  CounterNormals(seed).fill(0, z);
  return z;
}

Axes unit_axes(Index d) { return {Vector::Zero(d), Matrix::Identity(d, d)}; }

/// 3 + (x - a)^T diag(1, 2, ...) (x - a)/2.
struct Bowl {
  Vector a;

  [[nodiscard]] double operator()(const Vector& x) const {
    return 3 +
           (Vector::LinSpaced(a.size(), 1, static_cast<double>(a.size())).array() * (x - a).array().square()).sum() / 2;
  }
  [[nodiscard]] Vector values(const Matrix& x) const {
    Vector f(x.cols());
    for (Index i = 0; i < x.cols(); ++i) f[i] = (*this)(x.col(i));
    return f;
  }
};

TEST(CentredFeatures, AreUncorrelatedUnderNormals) {
  const Index d = 3;
  const Matrix features = centred_features(standard_normals(d, 200000, 1));
  ASSERT_EQ(features.rows(), all_features(d));
  const Matrix moments = features * features.transpose() / 200000.0;
  // The isotropic feature is a sum of the squares of single coordinates; all others are uncorrelated.
  for (Index i = 0; i < moments.rows(); ++i) {
    EXPECT_NEAR(moments(i, i), 1, 0.03) << i;
    for (Index j = 0; j < i; ++j) {
      const bool is_sum = j == d + 1 && i >= sphere_features(d) && i < sphere_features(d) + d;
      EXPECT_NEAR(moments(i, j), is_sum ? 1 / std::sqrt(d) : 0.0, 0.03) << i << ", " << j;
    }
  }
}

TEST(CentredFeatures, SumUpToTheirQuadratic) {
  const Index d = 4;
  const Matrix z = standard_normals(d, 6, 2);
  const Vector coefficients = standard_normals(all_features(d), 1, 3).col(0);
  const Quadratic q = quadratic_of(coefficients, d);
  const Vector sums = centred_features(z).transpose() * coefficients;
  for (Index i = 0; i < z.cols(); ++i) {
    EXPECT_NEAR(q.value(z.col(i)), sums[i], 1e-12);
    const Vector gradient = q.linear + 2 * q.H * z.col(i);
    const Matrix J = gradient_by_coefficients(z.col(i));
    EXPECT_LT((J * coefficients - gradient).norm(), 1e-12);
  }
}

TEST(RidgeRegression, FindsAQuadraticWithoutNoise) {
  const Index d = 4;
  const Matrix features = centred_features(standard_normals(d, 60, 4));
  const Vector truth = standard_normals(features.rows(), 1, 5).col(0);
  const RidgeRegression regression(features, Vector::Ones(60), sphere_features(d));
  const RidgeFit fit = regression.fit(features.transpose() * truth);
  const Matrix elsewhere = centred_features(standard_normals(d, 20, 30));  // the isotropic feature is a sum of others
  EXPECT_LT((elsewhere.transpose() * (fit.coefficients - truth)).norm(), 1e-2);
  EXPECT_LT(fit.variance, 1e-5);
}

/// Values of a sphere with noise say nothing about other shapes, so the ridge leaves none.
TEST(RidgeRegression, BelievesNoShapeThatTheDataDoNotCarry) {
  const Index d = 5;
  const Index n = 40;
  const Matrix z = standard_normals(d, n, 6);
  const Vector y = z.colwise().squaredNorm().transpose() + 3 * standard_normals(1, n, 7).row(0).transpose();
  const Matrix features = centred_features(z);
  const RidgeFit fit = RidgeRegression(features, Vector::Ones(n), sphere_features(d)).fit(y);
  EXPECT_LT(fit.dof, 12) << "of 22 coefficients, 7 of them free";
  EXPECT_GT(fit.coefficients[d + 1], 2);
}

TEST(RobustFit, IsNotMovedByOutliers) {
  const Index d = 3;
  const Index n = 120;
  const Matrix features = centred_features(standard_normals(d, n, 8));
  const Vector truth = standard_normals(features.rows(), 1, 9).col(0);
  Vector y = features.transpose() * truth + 0.1 * standard_normals(1, n, 10).row(0).transpose();
  for (Index i = 0; i < n; i += 7) y[i] += i % 2 == 0 ? 1e6 : -1e3;
  const RidgeRegression regression(features, Vector::Ones(n), sphere_features(d));
  const Matrix elsewhere = centred_features(standard_normals(d, 20, 31));
  const auto error = [&](const RidgeFit& fit) { return (elsewhere.transpose() * (fit.coefficients - truth)).norm(); };
  EXPECT_LT(error(robust_fit(regression, features, y)), 1);
  EXPECT_GT(error(regression.fit(y)), 1e3);
}

TEST(GrowingNoise, IsSeenInTheResiduals) {
  const Index n = 600;
  const Vector heights = standard_normals(1, n, 11).row(0).transpose().cwiseAbs() * 5;
  const Vector z = standard_normals(1, n, 12).row(0).transpose();
  const Vector even = z * 2;
  const GrowingNoise none = growing_noise(even, heights, Vector::Ones(n), 2);
  EXPECT_EQ(none.growth, 0);
  const Vector grown = z.array() * (1 + 0.25 * heights.array().square()).sqrt();
  const GrowingNoise some = growing_noise(grown, heights, Vector::Ones(n), 2);
  EXPECT_NEAR(some.growth, 0.25, 0.15);
  const Vector weights = some.weights(heights);
  EXPECT_GT(weights.maxCoeff(), 0.9);
  EXPECT_LT(weights.minCoeff(), 0.1);
}

/// The loss to be expected from noise is what a mean over many noises shows.
TEST(RegressionWindow, KnowsItsExpectedLoss) {
  const Index d = 4;
  const Index n = 200;
  const Bowl bowl{Vector::Constant(d, 0.3)};
  double loss = 0;
  double expected = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Matrix x = standard_normals(d, n, seed);
    const Vector y = bowl.values(x) + 2 * standard_normals(1, n, 100 + seed).row(0).transpose();
    const auto window = RegressionWindow::fit(x, y, unit_axes(d));
    ASSERT_TRUE(window);
    loss += bowl(window->minimum()) - 3;
    expected += window->expected_loss();
    EXPECT_NEAR(window->deviation(), 2, 0.6);
  }
  EXPECT_GT(loss / expected, 0.5);
  EXPECT_LT(loss / expected, 2);
}

TEST(RegressionWindow, RefusesTooFewOrDegeneratePoints) {
  const Index d = 3;
  EXPECT_FALSE(RegressionWindow::fit(standard_normals(d, d + 3, 1), Vector::Ones(d + 3), unit_axes(d)));
  EXPECT_FALSE(RegressionWindow::fit(Matrix::Ones(d, 20), Vector::Ones(20), unit_axes(d)));
}

/// A wide window sees |x|^4 flat and skewed; a narrow one sees noise. The choice is better than the widest.
TEST(NestedWindows, RefuseAWindowThatNarrowerOnesContradict) {
  const Index d = 2;
  const Index n = 2000;
  const Matrix x = 3 * standard_normals(d, n, 3);
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    const Vector p = x.col(i);
    y[i] = p.squaredNorm() + (p[0] > 2 ? 30 * (p[0] - 2) * (p[0] - 2) : 0.0);
  }
  y += 0.5 * standard_normals(1, n, 4).row(0).transpose();
  const auto best = best_window(x, y, unit_axes(d));
  const auto widest = RegressionWindow::fit(x, y, unit_axes(d));
  ASSERT_TRUE(best && widest);
  EXPECT_LT(best->size(), n);
  EXPECT_LT(best->minimum().norm(), widest->minimum().norm() / 3);
}

TEST(NestedWindows, TakeAllPointsOfAQuadratic) {
  const Index d = 3;
  const Matrix x = 3 * standard_normals(d, 500, 5);
  const Vector y = Bowl{Vector::Ones(d)}.values(x) + 5 * standard_normals(1, 500, 6).row(0).transpose();
  const auto best = best_window(x, y, unit_axes(d));
  ASSERT_TRUE(best);
  EXPECT_GE(best->size(), 150);
  EXPECT_LT((best->minimum() - Vector::Ones(d)).norm(), 0.5);
}

TEST(RepeatNoise, IsTheMedianDifferenceOfPairs) {
  RepeatNoise noise;
  EXPECT_EQ(noise.deviation(), 0);
  const Matrix z = standard_normals(2, 2000, 7);
  for (Index i = 0; i < z.cols(); ++i) noise.add(3 * z(0, i), 3 * z(1, i));
  noise.add(1, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(noise.count(), 2000);
  EXPECT_NEAR(noise.deviation(), 3, 0.2);
  EXPECT_NEAR(noise.deviation(2000), 3, 0.15);
}

/// Drives it on a bowl with noise, as the stage does.
Axes searched(const Bowl& bowl, double noise, int evaluations, std::uint64_t seed, double largest = 2) {
  const Index d = bowl.a.size();
  Archive archive(d, 5000);
  RepeatNoise repeats;
  RegressionSearch search(unit_axes(d), largest, {});
  CounterNormals samples(seed);
  CounterNormals errors(seed, 1);
  int round = 0;
  for (int n = 0; n < evaluations; ++round) {
    const Matrix x = search.points(samples);
    Matrix e(1, x.cols());
    errors.fill(static_cast<std::uint64_t>(round), e);
    const Vector y = bowl.values(x) + noise * e.row(0).transpose();
    for (Index i = 0; i < x.cols(); ++i) archive.add(x.col(i), y[i]);
    const Index last = x.cols() - 1;
    if (search.is_repeat_due()) {
      EXPECT_EQ(x.col(last), x.col(last - 1));
      repeats.add(y[last - 1], y[last]);
    }
    search.learn(archive, repeats);
    n += static_cast<int>(x.cols());
  }
  return search.frame();
}

TEST(RegressionSearch, FindsTheMinimumUnderNoise) {
  const Bowl bowl{Vector::Constant(5, -2)};
  for (const double noise : {0.1, 1.0, 10.0}) {
    const Axes end = searched(bowl, noise, 500, 8);
    EXPECT_LT(bowl(end.origin) - 3, 0.2 * noise) << noise;
    EXPECT_LE(end.scale(), 2.0001);
  }
}

TEST(RegressionSearch, SamplesAsWidelyAsTheNoiseDemands) {
  const Bowl bowl{Vector::Zero(3)};
  EXPECT_LT(searched(bowl, 1e-3, 400, 9).scale(), 0.2 * searched(bowl, 10, 400, 9, 100).scale());
}

TEST(RegressionSearch, FillsBatches) {
  for (const Index batch : {2, 5, 8, 20}) {
    RegressionSearch search(unit_axes(5), 1, {}, batch);
    Archive archive(5, 500);
    int repeats = 0;
    for (int round = 0; round < 6; ++round) {
      CounterNormals samples(3);
      const Matrix x = search.points(samples);
      EXPECT_EQ(x.cols(), search.size());
      EXPECT_EQ(x.cols() % batch, 0);
      repeats += search.is_repeat_due() ? 1 : 0;
      search.learn(archive, {});
    }
    EXPECT_GT(repeats, 1);
  }
}

TEST(RegressionSearch, MirrorsItsSamples) {
  RegressionSearch search(unit_axes(4), 1, 0.5);
  CounterNormals samples(3);
  const Matrix x = search.points(samples);
  EXPECT_EQ(x.cols(), search.size());
  EXPECT_EQ(x.col(1), -x.col(0));
  EXPECT_FALSE(search.is_repeat_due()) << "the noise is known";
}

}  // namespace
}  // namespace surefoot
