// Distributions of all shapes behind one interface.

#include <gtest/gtest.h>

#include "core/shapes/normal.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

const Vector start_mean{{1, -2, 0.5}};

Start start_of(const FullShape* /*tag*/) {
  return Start::with_covariance(start_mean, Matrix{{4, 1, 0}, {1, 2, -0.5}, {0, -0.5, 1}});
}
Start start_of(const DiagonalShape* /*tag*/) { return {start_mean, Vector{{3, 0.5, 1}}}; }
Start start_of(const VectorShape* /*tag*/) {
  Start start{start_mean, Vector{{3, 0.5, 1}}};
  start.direction = Vector{{2, -0.2, 0.75}};
  return start;
}

template <class Shape>
class Shapes : public testing::Test {
 public:
  Start start = start_of(static_cast<const Shape*>(nullptr));
  Normal<Shape> normal{start};
  NormalDistribution<Shape> distribution{normal};
};

using AllShapes = testing::Types<FullShape, DiagonalShape, VectorShape>;
TYPED_TEST_SUITE(Shapes, AllShapes);

TYPED_TEST(Shapes, HaveTheCovarianceOfTheStart) {
  const Matrix covariance = this->start.covariance();
  EXPECT_TRUE(this->distribution.covariance().isApprox(covariance, 1e-14));
  EXPECT_NEAR(std::pow(this->distribution.sigma(), 6), covariance.determinant(), 1e-13);
  Vector deviations;
  this->distribution.deviations(deviations);
  EXPECT_TRUE(deviations.isApprox(covariance.diagonal().cwiseSqrt(), 1e-14));
  EXPECT_TRUE(this->distribution.is_finite());
  EXPECT_TRUE(this->distribution.snapshot().mean.isApprox(start_mean));
}

TYPED_TEST(Shapes, AxesSpanTheCovariance) {
  Matrix sum = Matrix::Zero(3, 3);
  Vector axis;
  for (Index k = 0; k < 3; ++k) {
    this->distribution.axis(k, axis);
    sum += axis * axis.transpose();
  }
  const double sigma = this->distribution.sigma();
  EXPECT_TRUE((sigma * sigma * sum).isApprox(this->start.covariance(), 1e-14));
}

TYPED_TEST(Shapes, KnowTheirCondition) {
  const Matrix covariance = this->start.covariance();
  const Vector lengths = this->distribution.axis_lengths();
  EXPECT_NEAR(lengths.cwiseAbs2().sum(), covariance.trace(), 1e-12);
  EXPECT_NEAR(this->distribution.condition(), std::pow(lengths[0] / lengths[2], 2), 1e-11);
  EXPECT_NEAR(std::pow(this->distribution.frobenius_condition(), 2), covariance.trace() * covariance.inverse().trace(),
              1e-11);
}

TYPED_TEST(Shapes, WhitenPointsAndBack) {
  Matrix points = Matrix::Random(3, 5);
  const Matrix given = points;
  this->distribution.whiten(points);
  for (Index i = 0; i < 5; ++i) {
    const Vector y = given.col(i) - start_mean;
    EXPECT_NEAR(points.col(i).squaredNorm(), y.dot(this->start.covariance().inverse() * y), 1e-12);
  }
  this->distribution.unwhiten(points);
  EXPECT_TRUE(points.isApprox(given, 1e-13));
}

TYPED_TEST(Shapes, ScaleCoordinates) {
  const Vector factors{{0.5, 1, 3}};
  const double determinant_before = this->normal.sigma;
  this->normal.scale_coordinates(factors);
  EXPECT_TRUE(this->distribution.covariance().isApprox(
      factors.asDiagonal() * this->start.covariance() * factors.asDiagonal(), 1e-13));
  EXPECT_NEAR(this->normal.sigma, determinant_before * std::cbrt(1.5), 1e-13);
}

TYPED_TEST(Shapes, SeeWhatIsNotFinite) {
  this->normal.mean[1] = test::inf;
  EXPECT_FALSE(this->distribution.is_finite());
}

TEST(Start, WithADirectionIsThatOfItsCovariance) {
  Start start = start_of(static_cast<const VectorShape*>(nullptr));
  const Start same = Start::with_covariance(start_mean, start.covariance());
  EXPECT_NEAR(start.sigma(), same.sigma(), 1e-14);
  EXPECT_TRUE(start.axis_lengths().isApprox(same.axis_lengths(), 1e-13));
  Matrix sum = Matrix::Zero(3, 3);
  for (Index k = 0; k < 3; ++k) {
    const Vector axis = start.point(Vector::Unit(3, k)) - start_mean;
    sum += axis * axis.transpose();
  }
  EXPECT_TRUE(sum.isApprox(start.covariance(), 1e-14));
  start.rescale(Vector{{1, 2, 3}});
  start.widen(2);
  EXPECT_NEAR(start.covariance()(0, 2), 4 * 3 * 2 * 0.75, 1e-14);
  EXPECT_TRUE(NormalDistribution(Normal<FullShape>(start)).covariance().isApprox(start.covariance(), 1e-14));
}

TEST(Start, OfADiagonalShapeLeavesCorrelationsOut) {
  const Start start = start_of(static_cast<const FullShape*>(nullptr));
  const Normal<DiagonalShape> normal(start);
  const NormalDistribution<DiagonalShape> distribution(normal);
  EXPECT_TRUE(distribution.covariance().isApprox(Matrix(start.covariance().diagonal().asDiagonal()), 1e-14));
}

}  // namespace
}  // namespace surefoot
