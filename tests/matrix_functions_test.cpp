#include <gtest/gtest.h>

#include <cmath>

#include "core/linear_algebra/polar_factor.hpp"
#include "core/linear_algebra/symmetric_exponential.hpp"
#include "surefoot/normal_source.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

Matrix random_matrix(Index d, std::uint64_t seed) {
  Matrix A(d, d);
  CounterNormals(seed).fill(0, A);
  return A;
}

Matrix random_symmetric(Index d, std::uint64_t seed) {
  const Matrix A = random_matrix(d, seed);
  return A + A.transpose();
}

TEST(SymmetricExponential, AgreesWithEigenvaluesAtEveryScale) {
  for (const Index d : {1, 2, 3, 10, 37}) {
    SymmetricExponential expm(d);
    for (const double norm : {0.0, 1e-12, 1e-4, 0.04, 0.06, 0.5, 3.0, 20.0}) {
      Matrix A = random_symmetric(d, 7);
      A *= norm / A.cwiseAbs().colwise().sum().maxCoeff();
      const Matrix expected = test::expm_by_eigenvalues(A);
      // Scaling and squaring amplifies rounding by the norm.
      EXPECT_LE((expm(A) - expected).norm() / expected.norm(), 1e-14 * (1 + norm)) << "d = " << d << ", norm " << norm;
    }
  }
}

TEST(SymmetricExponential, OfADiagonalIsExponentialOfItsEntries) {
  SymmetricExponential expm(3);
  constexpr double rounding = 2e-15;  // some units in the last place: the polynomial's coefficients go up to 4.6
  const Vector entries{{-0.5, 0.1, 0.4}};
  const Matrix result = expm(entries.asDiagonal());
  EXPECT_NEAR(result(0, 0), std::exp(-0.5), rounding);
  EXPECT_NEAR(result(1, 1), std::exp(0.1), rounding);
  EXPECT_NEAR(result(2, 2), std::exp(0.4), rounding);
  EXPECT_EQ(result(0, 1), 0);
}

TEST(SymmetricExponential, IsUndone) {
  for (const Index d : {1, 3, 10, 37}) {
    SymmetricExponential expm(d);
    // Norms at which 6, 9, 12, 15 and 18 terms are needed, and several parts.
    for (const double norm : {0.0, 1e-12, 1e-4, 0.006, 0.06, 0.2, 0.29, 0.5, 0.9, 3.0, 20.0}) {
      Matrix A = random_symmetric(d, 7);
      A *= norm / A.cwiseAbs().colwise().sum().maxCoeff();
      const Vector q = Vector::LinSpaced(d, -1, 2);
      const Vector expected = test::expm_by_eigenvalues(-A) * q;
      expm(A);
      Vector undone = q;
      expm.undo(undone);
      EXPECT_LE((undone - expected).norm() / expected.norm(), 1e-14 * (1 + norm)) << "d = " << d << ", norm " << norm;
    }
  }
}

TEST(SymmetricExponential, PassesNonFiniteArgumentsOn) {
  SymmetricExponential expm(2);
  EXPECT_FALSE(expm(Matrix::Constant(2, 2, std::nan(""))).allFinite());
  EXPECT_FALSE(expm(Matrix::Constant(2, 2, HUGE_VAL)).allFinite());
}

TEST(PolarFactor, IsOrthogonalAndLeavesASymmetricPositiveFactor) {
  for (const Index d : {1, 2, 5, 20, 150}) {
    for (const double stretch : {1.0, 1e4, 1e8}) {
      Matrix B = random_matrix(d, 3);
      B.row(0) *= stretch;
      PolarFactor polar(d);
      const Matrix O = polar(B);
      EXPECT_LE(test::deviation_from_orthogonal(O), 1e-13 * static_cast<double>(d));
      const Matrix P = O.transpose() * B;
      EXPECT_LE((P - P.transpose()).norm(), 1e-13 * P.norm());
      const Matrix symmetric = (P + P.transpose()) / 2;
      const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(symmetric).eigenvalues();
      EXPECT_GT(eigenvalues.minCoeff(), -1e-15 * eigenvalues.maxCoeff());
    }
  }
}

TEST(PolarFactor, OfASingularMatrixEnds) { EXPECT_NO_THROW(PolarFactor(2)(Matrix::Zero(2, 2))); }

}  // namespace
}  // namespace surefoot
