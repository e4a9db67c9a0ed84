// The quadratic model: fits, values, minima in a ball, frames.

#include "driver/model/quadratic_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "driver/checkpoint/state_bytes.hpp"
#include "driver/model/ball_minimum.hpp"
#include "driver/model/kendall_tau.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

Matrix normals(Index rows, Index columns, std::uint64_t seed) {
  Matrix z(rows, columns);
  CounterNormals(seed).fill(0, z);
  return z;
}

Matrix rotation(Index d, std::uint64_t seed) {
  Matrix Q = normals(d, d, seed);
  for (Index i = 0; i < d; ++i) {  // Gram-Schmidt
    for (Index j = 0; j < i; ++j) Q.col(i) -= Q.col(j).dot(Q.col(i)) * Q.col(j);
    Q.col(i).normalize();
  }
  return Q;
}

Quadratic random_quadratic(Index d, std::uint64_t seed) {
  Quadratic q(d);
  const Matrix z = normals(d, d + 2, seed);
  q.constant = z(0, d + 1);
  q.linear = z.col(d);
  q.H = (z.leftCols(d) + z.leftCols(d).transpose()) / 2;
  return q;
}

Vector values_at(const Quadratic& q, const Matrix& z) {
  Vector values(z.cols());
  for (Index k = 0; k < z.cols(); ++k) values[k] = q.value(z.col(k));
  return values;
}

bool solve(ModelType type, const Matrix& z, const Vector& y, const Vector& w, Quadratic& q) {
  QuadraticFit fit;
  return fit.prepare(type, z, w) && fit.solve(y, q);
}

TEST(QuadraticFit, CountsTerms) {
  EXPECT_EQ(number_of_terms(ModelType::linear, 3), 4);
  EXPECT_EQ(number_of_terms(ModelType::diagonal, 3), 7);
  EXPECT_EQ(number_of_terms(ModelType::full, 3), 10);
}

TEST(QuadraticFit, ParabolaThroughThreePoints) {  // 1 + 2 z + 3 z^2 at -1, 0, 2
  Matrix z(1, 3);
  z << -1, 0, 2;
  const Vector y = Eigen::Vector3d(2, 1, 17);
  Quadratic q(1);
  ASSERT_TRUE(solve(ModelType::full, z, y, Vector::Ones(3), q));
  EXPECT_NEAR(q.constant, 1, 1e-10);
  EXPECT_NEAR(q.linear[0], 2, 1e-10);
  EXPECT_NEAR(q.H(0, 0), 3, 1e-10);
}

TEST(QuadraticFit, MixedTermIsSplit) {  // z_1 z_2
  Matrix z(2, 6);
  z << 0, 1, 0, 1, -1, 2,  //
      0, 0, 1, 1, 1, 1;
  Vector y(6);
  y << 0, 0, 0, 1, -1, 2;
  z(1, 5) = 3;
  y[5] = 6;
  Quadratic q(2);
  ASSERT_TRUE(solve(ModelType::full, z, y, Vector::Ones(6), q));
  EXPECT_NEAR(q.H(0, 1), 0.5, 1e-10);
  EXPECT_NEAR(q.H(1, 0), 0.5, 1e-10);
  EXPECT_NEAR(q.H(0, 0), 0, 1e-10);
  EXPECT_NEAR(q.constant, 0, 1e-10);
}

TEST(QuadraticFit, WeightsAreThoseOfTheRows) {  // a constant through 0 and 1 with weights 1 and 2: 4/5
  Matrix z = Matrix::Zero(1, 2);                // z says nothing
  Quadratic q(1);
  ASSERT_TRUE(solve(ModelType::linear, z, Eigen::Vector2d(0, 1), Eigen::Vector2d(1, 2), q));
  EXPECT_NEAR(q.constant, 0.8, 1e-9);
  EXPECT_NEAR(q.linear[0], 0, 1e-9);
}

TEST(QuadraticFit, ShortestSolutionOfTooFewPoints) {  // columns of the terms are scaled: all have norm 1 here
  Matrix z(2, 2);
  z << 1, -1,  //
      1, -1;
  Quadratic q(2);
  ASSERT_TRUE(solve(ModelType::linear, z, Eigen::Vector2d(3, 1), Vector::Ones(2), q));
  EXPECT_NEAR(q.constant, 2, 1e-9);
  EXPECT_NEAR(q.linear[0], 0.5, 1e-9);
  EXPECT_NEAR(q.linear[1], 0.5, 1e-9);
}

class ExactFit : public ::testing::TestWithParam<Index> {};

TEST_P(ExactFit, QuadraticsAreReproduced) {
  const Index d = GetParam();
  const Quadratic truth = random_quadratic(d, 7);
  const Index points = number_of_terms(ModelType::full, d) * 3 / 2 + 2;
  const Matrix z = normals(d, points, 8);
  Vector weights(points);
  for (Index k = 0; k < points; ++k) weights[k] = 20 - 19 * static_cast<double>(k) / static_cast<double>(points - 1);
  Quadratic q(d);
  QuadraticFit fit;
  ASSERT_TRUE(fit.prepare(ModelType::full, z, weights) && fit.solve(values_at(truth, z), q));
  EXPECT_NEAR(q.constant, truth.constant, 1e-10);
  EXPECT_LT((q.linear - truth.linear).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((q.H - truth.H).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_GT(fit.condition(), 1);
  EXPECT_LT(fit.condition(), 1e4);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, ExactFit, ::testing::Values(1, 2, 3, 5, 10, 20));

/// Moments of fourth order are the products of stored terms, in another order: those of (1, z)(1, z)^T by rows.
TEST(ProductTerms, AreThoseThatCanBeStored) {
  for (const Index d : {1, 2, 7, 12}) {
    const Index m = number_of_terms(ModelType::full, d);
    const Matrix z = normals(d, m + 40, 5);
    const Vector w = normals(m + 40, 1, 6).cwiseAbs();
    Matrix X(m, z.cols());
    for (Index k = 0; k < z.cols(); ++k) {
      Vector h(d + 1);
      h << 1, z.col(k);
      Index next = 0;
      for (Index a = 0; a <= d; ++a) {
        for (Index b = a; b <= d; ++b) X(next++, k) = w[k] * h[a] * h[b];
      }
    }
    X.rowwise().normalize();
    ProductTerms terms;
    terms.prepare(z, w);
    Matrix G;
    terms.gram(G);
    const Matrix expected = (X * X.transpose()).triangularView<Eigen::Lower>();
    EXPECT_LT((Matrix(G.triangularView<Eigen::Lower>()) - expected).cwiseAbs().maxCoeff(), 1e-14) << d;

    Vector result;
    const Vector v = normals(z.cols(), 1, 7);
    terms.combine(v, result);
    EXPECT_LT((result - X * v).cwiseAbs().maxCoeff(), 1e-13) << d;
    const Vector c = normals(m, 1, 8);
    terms.evaluate(c, result);
    EXPECT_LT((result - X.transpose() * c).cwiseAbs().maxCoeff(), 1e-12) << d;
  }
}

TEST(QuadraticFit, ConstantCoordinatesAreNoTerms) {  // a row of zeros is divided by 1, not by 0
  const Index d = 12;
  Matrix z = normals(d, 150, 4);
  z.row(3).setZero();
  const Quadratic truth = random_quadratic(d, 5);
  Quadratic q(d);
  ASSERT_TRUE(solve(ModelType::full, z, values_at(truth, z), Vector::Ones(150), q));
  EXPECT_NEAR(q.linear[3], 0, 1e-12);
  EXPECT_NEAR(q.linear[4], truth.linear[4], 1e-9);
}

TEST(QuadraticFit, ConditionSeesDependentTerms) {
  Matrix z = normals(2, 20, 3);
  z.row(1) = z.row(0) + 1e-5 * z.row(1);
  QuadraticFit fit;
  ASSERT_TRUE(fit.prepare(ModelType::linear, z, Vector::Ones(20)));
  EXPECT_GT(fit.condition(), 1e4);
}

TEST(Quadratic, SubstitutionByHand) {  // (3 + 2 u)^2 = 9 + 12 u + 4 u^2
  Quadratic q(1);
  q.H(0, 0) = 1;
  Quadratic result(1);
  q.substitute(Vector::Constant(1, 3), Matrix::Constant(1, 1, 2), result);
  EXPECT_DOUBLE_EQ(result.constant, 9);
  EXPECT_DOUBLE_EQ(result.linear[0], 12);
  EXPECT_DOUBLE_EQ(result.H(0, 0), 4);
}

TEST(BallMinimum, InteriorByHand) {  // (z - (1, 2))^2
  Quadratic q(2);
  q.linear << -2, -4;
  q.H.setIdentity();
  BallMinimum minimum(2);
  minimum.find(q, 3);
  EXPECT_TRUE(minimum.is_interior());
  EXPECT_NEAR(minimum.point()[0], 1, 1e-14);
  EXPECT_NEAR(minimum.point()[1], 2, 1e-14);
  EXPECT_NEAR(minimum.decrease(), -5, 1e-13);
}

TEST(BallMinimum, EdgeByHand) {  // the sphere around (3, 4), in the unit ball
  Quadratic q(2);
  q.linear << -6, -8;
  q.H.setIdentity();
  BallMinimum minimum(2);
  minimum.find(q, 1);
  EXPECT_FALSE(minimum.is_interior());
  EXPECT_NEAR(minimum.point()[0], 0.6, 1e-14);
  EXPECT_NEAR(minimum.point()[1], 0.8, 1e-14);
  EXPECT_NEAR(minimum.decrease(), 1 - 10, 1e-13);
}

TEST(BallMinimum, LinearGoesDownhill) {
  Quadratic q(2);
  q.linear << 3, -4;
  BallMinimum minimum(2);
  minimum.find(q, 10);
  EXPECT_NEAR(minimum.point()[0], -6, 1e-12);
  EXPECT_NEAR(minimum.point()[1], 8, 1e-12);
  EXPECT_FALSE(minimum.is_interior());
}

TEST(BallMinimum, HardCase) {  // z_1^2 - z_2^2 + 4 z_1: z_1 = -1 by (1 + 1) z_1 = -2, the rest along z_2
  Quadratic q(2);
  q.linear << 4, 0;
  q.H.diagonal() << 1, -1;
  BallMinimum minimum(2);
  minimum.find(q, 2);
  EXPECT_NEAR(minimum.point()[0], -1, 1e-7);
  EXPECT_NEAR(std::abs(minimum.point()[1]), std::sqrt(3.0), 1e-7);
  EXPECT_NEAR(minimum.decrease(), 1 - 3 - 4, 1e-12);
}

TEST(BallMinimum, NothingToGain) {
  BallMinimum minimum(3);
  minimum.find(Quadratic(3), 1);
  EXPECT_EQ(minimum.point(), Vector(Vector::Zero(3)));
  EXPECT_EQ(minimum.decrease(), 0);
}

TEST(BallMinimum, NoSampleIsLower) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Index d = 2 + static_cast<Index>(seed % 5);
    const Quadratic q = random_quadratic(d, seed);
    BallMinimum minimum(d);
    minimum.find(q, 1.5);
    EXPECT_LE(minimum.point().norm(), 1.5 * (1 + 1e-12));
    EXPECT_NEAR(q.value(minimum.point()) - q.constant, minimum.decrease(), 1e-12);
    const Matrix z = normals(d, 200, 100 + seed);
    for (Index k = 0; k < z.cols(); ++k) {
      EXPECT_GE(q.value(1.5 * z.col(k).normalized()), q.value(minimum.point()) - 1e-12);
    }
  }
}

TEST(KendallTau, ByHand) {
  EXPECT_DOUBLE_EQ(kendall_tau(Eigen::Vector3d(1, 2, 3), Eigen::Vector3d(10, 20, 30)), 1);
  EXPECT_DOUBLE_EQ(kendall_tau(Eigen::Vector3d(1, 2, 3), Eigen::Vector3d(3, 2, 1)), -1);
  EXPECT_DOUBLE_EQ(kendall_tau(Eigen::Vector3d(1, 2, 3), Eigen::Vector3d(1, 3, 2)), 1.0 / 3);
}

TEST(KendallTau, TiesCountInTheScale) {
  // Pairs of a: 5 untied; of b: 5 untied; 4 agree: 4/sqrt(25).
  EXPECT_DOUBLE_EQ(kendall_tau(Eigen::Vector4d(1, 1, 2, 3), Eigen::Vector4d(1, 2, 2, 3)), 0.8);
  // One list with a tie: 5/sqrt(5 6).
  EXPECT_DOUBLE_EQ(kendall_tau(Eigen::Vector4d(1, 1, 2, 3), Eigen::Vector4d(1, 2, 3, 4)), 5 / std::sqrt(30.0));
  EXPECT_TRUE(std::isnan(kendall_tau(Eigen::Vector3d(1, 1, 1), Eigen::Vector3d(1, 2, 3))));
}

/// An archive of n points of a function of d numbers.
template <class Function>
Archive archive_of(Index d, Index n, const Function& f, std::uint64_t seed = 5) {
  Archive archive(d, n);
  const Matrix x = normals(d, n, seed);
  for (Index k = 0; k < n; ++k) archive.add(x.col(k), f(Vector(x.col(k))));
  return archive;
}

Frame frame_of(const Vector& center, const Matrix& axes) {
  Frame frame(center.size());
  frame.set(center, axes);
  return frame;
}

/// Axes along (1, 1) and (1, -1): given the other one, a coordinate's deviation is sqrt(2) times the shorter of the
/// two. Adding to 1 less than 2^-53 = 1.1e-16 changes nothing, and 64 times as much to 100.
TEST(Frame, KnowsWhatIsLostInRounding) {
  const auto lost = [](double m1, double m2, double shortest) {
    Matrix axes(2, 2);
    axes << 1e-9, shortest, 1e-9, -shortest;
    return frame_of(Vector{{m1, m2}}, axes / std::sqrt(2)).rounded_coordinate();
  };
  EXPECT_EQ(lost(1, 1, 4.1e-16), std::nullopt);  // 0.2 sqrt(2) 4.1e-16 = 1.16e-16
  EXPECT_EQ(lost(1, 1, 3.8e-16), 0);
  EXPECT_EQ(lost(1, 100, 1e-14), 1);
  EXPECT_EQ(lost(0, 0, 1e-30), std::nullopt);
}

TEST(QuadraticModel, TypeFollowsTheNumberOfPoints) {  // d = 3: 0.75 n >= 1.1 times 7 and 10
  const auto type = [](Index n) {
    QuadraticModel model(3);
    model.fit(archive_of(3, n, test::sphere), Frame(3));
    return model.type();
  };
  EXPECT_EQ(type(1), ModelType::none);
  EXPECT_EQ(type(2), ModelType::linear);
  EXPECT_EQ(type(10), ModelType::linear);
  EXPECT_EQ(type(11), ModelType::diagonal);
  EXPECT_EQ(type(14), ModelType::diagonal);
  EXPECT_EQ(type(15), ModelType::full);
}

TEST(QuadraticModel, SmallModelsForgetOldPoints) {  // a slope that has turned round
  Archive archive(2, 30);
  const Matrix x = normals(2, 30, 6);
  for (Index k = 0; k < 30; ++k) archive.add(x.col(k), k < 21 ? 5 - x(0, k) : x(0, k));
  QuadraticModel model(2, ModelType::linear);  // 3 terms: the newest 9 points
  model.fit(archive, Frame(2));
  Quadratic q(2);
  model.in_frame(Frame(2), q);
  EXPECT_GT(q.linear[0], 0);
  EXPECT_NEAR(q.linear[1] / q.linear[0], 0, 1e-9);
}

TEST(QuadraticModel, EqualValuesGiveNoModel) {
  QuadraticModel model(2);
  model.fit(archive_of(2, 20, [](const Vector&) { return 3.0; }), Frame(2));
  EXPECT_FALSE(model.exists());
}

TEST(QuadraticModel, SingularFrameGivesNoModel) {
  QuadraticModel model(2);
  model.fit(archive_of(2, 20, test::sphere), frame_of(Vector::Zero(2), Matrix::Zero(2, 2)));
  EXPECT_FALSE(model.exists());
}

TEST(QuadraticModel, ValuesAreInUnitsOfTheRange) {
  const auto f = [](const Vector& x) { return 1e6 + 50 * x.squaredNorm(); };
  QuadraticModel model(2);
  model.fit(archive_of(2, 40, f), Frame(2));
  const Matrix x = normals(2, 10, 77);
  Vector predicted;
  model.values(x, predicted);
  for (Index k = 0; k < x.cols(); ++k) EXPECT_NEAR(predicted[k], model.rise_of(f(x.col(k))), 1e-9);
}

TEST(QuadraticModel, FindsThePowerThatIsQuadratic) {
  const auto power = [](const std::function<double(const Vector&)>& f) {
    QuadraticModel model(3);
    model.fit(archive_of(3, 30, f), Frame(3));
    return model.power();
  };
  EXPECT_EQ(power(test::sphere), 1);
  EXPECT_EQ(power([](const Vector& x) { return x.norm(); }), 2);
  EXPECT_EQ(power([](const Vector& x) { return std::pow(x[0] * x[0] + 9 * x[1] * x[1] + 81 * x[2] * x[2], 2); }), 0.5);
}

TEST(QuadraticModel, RiseUndoesThePower) {
  const auto f = [](const Vector& x) { return 5 + x.norm(); };
  const Archive archive = archive_of(3, 30, [&](const Vector& x) { return f(x); });
  QuadraticModel model(3);
  model.fit(archive, Frame(3));
  ASSERT_EQ(model.power(), 2);
  const Matrix x = normals(3, 10, 77);
  Vector values;
  model.values(x, values);
  for (Index k = 0; k < x.cols(); ++k) {
    EXPECT_NEAR(model.rise(values[k]), model.rise_of(f(x.col(k))), 0.2);
  }
  EXPECT_EQ(model.rise(-4), -2);
}

/// Rosenbrock's function is no quadratic: the fit is a compromise.
double banana(const Vector& x) {
  double sum = 0;
  for (Index i = 0; i + 1 < x.size(); ++i) sum += 100 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(x[i] - 1, 2);
  return sum;
}

TEST(QuadraticModel, FullModelsDoNotDependOnTheFrame) {
  const Index d = 4;
  const Archive archive = archive_of(d, 60, banana);
  QuadraticModel here(d);
  here.fit(archive, Frame(d));
  QuadraticModel there(d);
  Matrix axes = rotation(d, 3);
  axes.col(0) *= 10;
  there.fit(archive, frame_of(Vector::Constant(d, 0.5), axes));
  ASSERT_EQ(here.type(), ModelType::full);
  const Matrix x = normals(d, 30, 9);
  Vector a, b;
  here.values(x, a);
  there.values(x, b);
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(QuadraticModel, OtherModelsDoNotDependOnAxisParallelFrames) {
  const Index d = 4;
  const Archive archive = archive_of(d, 14, banana);
  QuadraticModel here(d);
  here.fit(archive, Frame(d));
  QuadraticModel there(d);
  const Vector lengths = Eigen::Vector4d(1, 5, 0.1, 2);
  there.fit(archive, frame_of(Vector::Constant(d, 0.5), lengths.asDiagonal()));
  ASSERT_EQ(here.type(), ModelType::diagonal);
  const Matrix x = normals(d, 30, 9);
  Vector a, b;
  here.values(x, a);
  there.values(x, b);
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(QuadraticModel, SeenFromAnotherFrame) {
  const Index d = 3;
  QuadraticModel model(d);
  model.fit(archive_of(d, 40, banana), frame_of(Vector::Constant(d, 0.2), rotation(d, 1)));
  const Frame other = frame_of(Vector::Constant(d, -1), 3 * rotation(d, 2));
  Quadratic q(d);
  model.in_frame(other, q);
  const Matrix u = normals(d, 10, 4);
  Matrix x(d, 10);
  for (Index k = 0; k < 10; ++k) x.col(k) = other.to_global(u.col(k));
  Vector values;
  model.values(x, values);
  for (Index k = 0; k < 10; ++k) EXPECT_NEAR(q.value(u.col(k)), values[k], 1e-11 * (1 + std::abs(values[k])));
}

TEST(QuadraticModel, CheckpointKeepsItsBits) {
  QuadraticModel model(3);
  model.fit(archive_of(3, 40, banana), frame_of(Vector::Constant(3, 0.2), rotation(3, 1)));
  StateWriter writer;
  model.visit(writer);
  QuadraticModel restored(3);
  StateReader reader(writer.bytes());
  restored.visit(reader);
  reader.finish();
  const Matrix x = normals(3, 10, 4);
  Vector a, b;
  model.values(x, a);
  restored.values(x, b);
  EXPECT_EQ(a, b);
}

TEST(Archive, NewestFirstAndCapped) {
  Archive archive(1, 3);
  for (const double f : {5.0, 1.0, 4.0, 2.0}) EXPECT_TRUE(archive.add(Vector::Constant(1, 10 * f), f));
  EXPECT_EQ(archive.size(), 3);
  EXPECT_EQ(archive.added(), 4);
  EXPECT_EQ(archive.value(0), 2);
  EXPECT_EQ(archive.value(1), 4);
  EXPECT_EQ(archive.value(2), 1);
  EXPECT_EQ(archive.point(2)[0], 10);
  EXPECT_EQ(archive.best(), 2);
}

TEST(Archive, TakesFiniteValuesOnly) {
  Archive archive(1, 3);
  for (const double f : {test::nan, test::inf, -test::inf}) EXPECT_FALSE(archive.add(Vector::Zero(1), f));
  EXPECT_EQ(archive.size(), 0);
  EXPECT_EQ(archive.added(), 0);
}

TEST(Archive, Checkpoint) {
  Archive archive = archive_of(2, 5, test::sphere);
  archive.add(Vector::Constant(2, 3), 18);  // drops the oldest
  StateWriter writer;
  archive.visit(writer);
  Archive restored(2, 5);
  StateReader reader(writer.bytes());
  restored.visit(reader);
  reader.finish();
  EXPECT_EQ(restored.added(), 6);
  ASSERT_EQ(restored.size(), 5);
  for (Index i = 0; i < 5; ++i) {
    EXPECT_EQ(restored.value(i), archive.value(i));
    EXPECT_EQ(Vector(restored.point(i)), Vector(archive.point(i)));
  }
}

TEST(Archive, RefusesAnotherDimension) {
  Archive archive = archive_of(2, 5, test::sphere);
  StateWriter writer;
  archive.visit(writer);
  Archive other(3, 5);
  StateReader reader(writer.bytes());
  EXPECT_THROW(other.visit(reader), std::invalid_argument);
}

}  // namespace
}  // namespace surefoot
