#include "core/linear_algebra/products.hpp"

#include <gtest/gtest.h>

#include <cmath>

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
                                         Size{10, 10, 10}, Size{13, 300, 13}, Size{24, 17, 31}, Size{96, 16, 96},
                                         Size{128, 64, 7}, Size{129, 65, 130}, Size{131, 24, 131}, Size{200, 129, 17},
                                         Size{257, 80, 200}),
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
