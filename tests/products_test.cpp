#include "core/linear_algebra/products.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/linear_algebra/block_products.hpp"
#include "core/linear_algebra/cholesky.hpp"
#include "core/linear_algebra/dense_solvers.hpp"
#include "core/linear_algebra/inverse.hpp"
#include "surefoot/normal_source.hpp"

namespace surefoot {
namespace {

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Matrix A(rows, columns);
  CounterNormals(seed).fill(0, A);
  return A;
}

void expect_near(const Matrix& actual, const Matrix& expected, const char* what) {
  EXPECT_LE((actual - expected).cwiseAbs().maxCoeff(), 1e-13 * expected.norm()) << what;
}

struct Size {
  Index rows, inner, columns;
};

std::ostream& operator<<(std::ostream& out, const Size& size) {
  return out << size.rows << "_" << size.inner << "_" << size.columns;
}

class Products : public testing::TestWithParam<Size> {};

// Below, at and above a pack, a tile, a block and what needs no blocks.
INSTANTIATE_TEST_SUITE_P(, Products,
                         testing::Values(Size{1, 1, 1}, Size{2, 3, 1}, Size{3, 2, 5}, Size{4, 4, 4}, Size{5, 7, 6},
                                         Size{9, 4, 3}, Size{10, 10, 10}, Size{12, 5, 11}, Size{13, 300, 13},
                                         Size{24, 17, 31}, Size{96, 16, 96}, Size{128, 64, 7}, Size{129, 65, 130},
                                         Size{131, 24, 131}, Size{200, 129, 17}, Size{257, 80, 200}),
                         testing::PrintToStringParamName());

TEST_P(Products, EqualEigens) {
  const auto [rows, inner, columns] = GetParam();
  const Matrix A = random_matrix(rows, inner, 1);
  const Matrix B = random_matrix(inner, columns, 2);
  Matrix C(rows, columns);
  multiply(A, B, C);
  expect_near(C, A * B, "multiply");

  const Matrix before = C = random_matrix(rows, columns, 3);
  accumulate_product(0.7, A, B, C);
  expect_near(C, 0.7 * before + A * B, "accumulate_product");

  multiply_add(before, A, B, C);
  expect_near(C, before + A * B, "multiply_add");
}

TEST_P(Products, OfPartsEqualEigens) {
  const auto [rows, inner, columns] = GetParam();
  const Matrix A = random_matrix(rows + 3, inner, 1);
  const Matrix B = random_matrix(columns + 5, inner, 2);
  const Matrix before = random_matrix(rows + 2, columns + 1, 3);
  Matrix expected = before;
  expected.block(1, 1, rows, columns) += A.topRows(rows) * B.bottomRows(columns).transpose();
  Matrix C = before;
  accumulate_outer(A.topRows(rows), B.bottomRows(columns), C.block(1, 1, rows, columns));
  expect_near(C, expected, "accumulate_outer");

  expected = before;
  expected.block(1, 1, rows, columns) -= A.topRows(rows) * B.bottomRows(columns).transpose();
  C = before;
  subtract_outer(A.topRows(rows), B.bottomRows(columns), C.block(1, 1, rows, columns));
  expect_near(C, expected, "subtract_outer");

  const Matrix S = random_matrix(rows, rows, 4);
  expected = S - A.topRows(rows) * A.topRows(rows).transpose();
  C = S;
  subtract_square(A.topRows(rows), C);
  expect_near(C.triangularView<Eigen::Lower>(), expected.triangularView<Eigen::Lower>(), "subtract_square");
}

TEST_P(Products, OfSymmetricResultsEqualEigens) {
  const auto [rows, inner, columns] = GetParam();
  const Matrix A = random_matrix(rows, inner, 1);
  const Matrix S = random_matrix(inner, inner, 2);
  const Matrix AS = A * (S + S.transpose());
  const Matrix At = A.transpose();
  Matrix C(rows, rows);
  multiply_symmetric(A, AS, C);
  expect_near(C, A * AS.transpose(), "multiply_symmetric");
  expect_near(C, C.transpose(), "symmetry");

  const Vector w = random_matrix(inner, 1, 3).col(0);
  multiply_weighted(A, w, C);
  expect_near(C, A * w.asDiagonal() * A.transpose(), "multiply_weighted");

  const Matrix D = A * A.transpose();
  multiply_add_symmetric(D, A, AS, C);
  expect_near(C, D + A * AS.transpose(), "multiply_add_symmetric");

  C = D;
  accumulate_weighted(0.6, A, w, C);
  expect_near(C, 0.6 * D + A * w.asDiagonal() * A.transpose(), "accumulate_weighted");
  EXPECT_TRUE(C == C.transpose());

  C = D;
  accumulate_symmetric(-0.3, AS, At, C);
  expect_near(C, -0.3 * D + AS * At, "accumulate_symmetric");
  EXPECT_TRUE(C == C.transpose());
}

TEST_P(Products, WithAVectorEqualEigens) {
  const auto [rows, inner, columns] = GetParam();
  const Matrix A = random_matrix(rows, inner + 1, 1);  // of which the last column is left out
  const Vector b = random_matrix(inner, 1, 3);
  Vector c(rows);
  multiply(A, b, c);
  expect_near(c, A.leftCols(inner) * b, "multiply");

  Matrix C(rows, inner);
  scale_columns(0.3, A, b, C);
  expect_near(C, 0.3 * A.leftCols(inner) * b.asDiagonal(), "scale_columns");
}

/// One number after the other, whatever the packs of the processor.
TEST_P(Products, WithAVectorAreSummedInOneOrder) {
  const auto [rows, inner, columns] = GetParam();
  const Matrix A = random_matrix(rows, inner, 1);
  const Vector b = random_matrix(inner, 1, 3);
  Vector c(rows);
  multiply(A, b, c);
  for (Index i = 0; i < rows; ++i) {
    double sum = 0;
    for (Index k = 0; k < inner; ++k) sum += A(i, k) * b[k];
    EXPECT_EQ(c[i], sum) << "row " << i;
  }
}

/// In the order that every processor has to keep, whatever its packs: sums of at most 16 products where matrices are
/// large, added up.
TEST_P(Products, AreSummedInOneOrder) {
  const auto [rows, inner, columns] = GetParam();
  const Matrix A = random_matrix(rows, inner, 1);
  const Matrix B = random_matrix(inner, columns, 2);
  Matrix C(rows, columns);
  multiply(A, B, C);
  const Index step = rows <= 128 || inner <= 64 ? inner : 16;
  for (Index j = 0; j < columns; ++j) {
    for (Index i = 0; i < rows; ++i) {
      double total = 0;
      for (Index begin = 0; begin < inner; begin += step) {
        double sum = 0;
        for (Index k = begin; k < std::min(begin + step, inner); ++k) sum += A(i, k) * B(k, j);
        total = begin == 0 ? sum : sum + total;
      }
      ASSERT_EQ(C(i, j), total) << i << ", " << j;
    }
  }
}

TEST_P(Products, OfALowerPartAreMeasuredAndSummedInOneOrder) {
  const auto [d, inner, ignored] = GetParam();
  const Matrix A = random_matrix(d, inner, 1);
  const Vector w = random_matrix(inner, 1, 3);
  const Matrix root = random_matrix(d, inner, 4);
  Matrix before(d, d);
  multiply_weighted(root, w, before);
  before = before.triangularView<Eigen::Lower>();
  before = before.selfadjointView<Eigen::Lower>();
  const Matrix G = A * w.asDiagonal() * A.transpose();

  Matrix C = before;
  Vector workspace(d);
  const Matrix weighted = A * w.asDiagonal();
  const double measured = accumulate_lower(0.6, weighted, A, C, workspace);
  EXPECT_NEAR(measured, before.cwiseProduct(G).sum(), 1e-13 * before.norm() * G.norm());
  mirror_lower(C);
  expect_near(C, 0.6 * before + G, "accumulate_lower");
  EXPECT_TRUE(C == C.transpose());
  Vector dots = Vector::Zero(d);
  for (Index j = 0; j < d; ++j) {
    const Index left = d - j / 4 * 4;
    const Index width = left >= 4 ? 4 : left >= 2 && j % 4 < 2 ? 2 : 1;
    const Index square = j / width * width;
    for (Index i = square; i < d; ++i) {
      double sum = 0;
      for (Index k = 0; k < inner; ++k) sum += A(i, k) * w[k] * A(j, k);
      dots[i] += sum * before(i, j) * (i < square + width ? 0.5 : 1);
      if (i >= j) {
        ASSERT_EQ(C(i, j), sum + 0.6 * before(i, j)) << i << ", " << j;
      }
    }
  }
  EXPECT_EQ(measured, 2 * dots.sum());
}

/// A few rows may go first, so that packs do not cross lines of the cache.
TEST(ProductsOfRows, DoNotDependOnWhereTheyBeginInMemory) {
  for (const Index rows : {64, 100, 300}) {
    const Matrix A = random_matrix(rows, 25, 1);
    const Matrix B = random_matrix(25, 30, 2);
    const Matrix before = random_matrix(rows, 30, 3);
    Matrix expected = before;
    accumulate_product(0.7, A, B, expected);
    for (Index first = 0; first < 4; ++first) {
      Matrix wider(rows + 4, A.cols());
      wider.middleRows(first, rows) = A;
      Matrix C = before;
      accumulate_product(0.7, wider.middleRows(first, rows), B, C);
      EXPECT_TRUE(C == expected) << rows << " rows from " << first;
    }
  }
}

TEST(Cholesky, FactorTimesItsTransposeIsTheMatrix) {
  for (const Index d : {1, 2, 7, 8, 9, 16, 17, 40, 100, 231, 300}) {
    const Matrix root = random_matrix(d, d + 2, 5);
    const Matrix A = root * root.transpose();
    Matrix L = A;
    L.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));  // is not read
    ASSERT_TRUE(factor_cholesky(L)) << "d = " << d;
    const Matrix lower = L.triangularView<Eigen::Lower>();
    EXPECT_LE((lower * lower.transpose() - A).norm(), 1e-15 * A.norm()) << "d = " << d;

    const Vector x = random_matrix(d, 1, 6);
    Vector b = A * x;
    solve_cholesky(L, b);
    EXPECT_LE((A * b - A * x).norm(), 1e-14 * A.norm() * b.norm()) << "d = " << d;
  }
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
  for (const Index d : {1, 8, 9, 60}) {
    for (const double last : {0.0, -1.0, std::nan("")}) {
      Matrix A = Matrix::Identity(d, d);
      A(d - 1, d - 1) = last;
      EXPECT_FALSE(factor_cholesky(A)) << d << " " << last;
    }
  }
}

TEST(Cholesky, EstimatesTheCondition) {
  Matrix L = Matrix(Eigen::Vector3d(10, 1, 0.1).asDiagonal());  // A = diag(100, 1, 0.01)
  EXPECT_NEAR(reciprocal_condition(L), 1e-4, 1e-16);
  for (const Index d : {1, 5, 40}) {
    const Matrix root = random_matrix(d, d + 2, 7);
    const Matrix A = root * root.transpose();
    L = A;
    ASSERT_TRUE(factor_cholesky(L));
    const double truth =
        1 / (A.cwiseAbs().colwise().sum().maxCoeff() * A.inverse().cwiseAbs().colwise().sum().maxCoeff());
    EXPECT_GE(reciprocal_condition(L), truth * (1 - 1e-9)) << "d = " << d;  // norms are estimated from below
    EXPECT_LE(reciprocal_condition(L), 9 * truth) << "d = " << d;
  }
}

TEST(Inverse, TimesItsMatrixIsTheIdentity) {
  for (const Index d : {1, 2, 3, 10, 33, 127, 128, 129, 160, 200, 257}) {
    const Matrix A = random_matrix(d, d, 5);
    Matrix inverse_transposed(d, d);
    Inverse(d).transposed(A, inverse_transposed);
    const double scale = A.norm() * inverse_transposed.norm();
    EXPECT_LE((A * inverse_transposed.transpose() - Matrix::Identity(d, d)).norm(), 1e-15 * scale) << "d = " << d;
  }
}

TEST(Inverse, FindsPivotsOffTheDiagonal) {
  for (const Index d : {2, 10, 150}) {
    Matrix A = random_matrix(d, d, 6).rowwise().reverse();
    A.diagonal().setZero();
    Matrix inverse_transposed(d, d);
    Inverse(d).transposed(A, inverse_transposed);
    EXPECT_LE((A * inverse_transposed.transpose() - Matrix::Identity(d, d)).norm(),
              1e-15 * A.norm() * inverse_transposed.norm())
        << "d = " << d;
  }
}

TEST(Inverse, OfASingularMatrixIsNotFiniteOrHuge) {
  for (const Index d : {2, 140}) {
    Matrix A = random_matrix(d, d, 6);
    A.col(1) = A.col(0);
    Matrix inverse_transposed(d, d);
    Inverse(d).transposed(A, inverse_transposed);
    EXPECT_FALSE(inverse_transposed.norm() < 1e14) << "d = " << d;
  }
}

}  // namespace
}  // namespace surefoot
