// 100 000 generations of the release against the same method in long double: what rounding does in the long run.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/linear_algebra/polar_factor.hpp"
#include "core/methods/xnes/rates/covariance_path.hpp"
#include "core/ranking/rank_weights.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t long_generations = 3000;
#elif defined(NDEBUG)  // as users have it
constexpr std::uint64_t long_generations = 100000;
#else
constexpr std::uint64_t long_generations = 20000;
#endif

using Real = long double;

/// A square matrix of long double by plain loops: as an Eigen type it took as long to compile as five other tests.
struct LongMatrix {
  explicit LongMatrix(Index size, Real diagonal = 0) : d(size), entries(static_cast<std::size_t>(d * d)) {
    for (Index i = 0; i < d; ++i) (*this)(i, i) = diagonal;
  }
  Real& operator()(Index i, Index j) { return entries[static_cast<std::size_t>(j * d + i)]; }
  Real operator()(Index i, Index j) const { return entries[static_cast<std::size_t>(j * d + i)]; }

  Index d;
  std::vector<Real> entries;
};

/// a A + b B
LongMatrix combined(Real a, const LongMatrix& A, Real b, const LongMatrix& B) {
  LongMatrix sum(A.d);
  for (std::size_t i = 0; i < sum.entries.size(); ++i) sum.entries[i] = a * A.entries[i] + b * B.entries[i];
  return sum;
}

LongMatrix product(const LongMatrix& A, const LongMatrix& B) {
  LongMatrix AB(A.d);
  for (Index j = 0; j < A.d; ++j) {
    for (Index i = 0; i < A.d; ++i) {
      Real sum = 0;  // in a register: to store a long double takes long
      for (Index k = 0; k < A.d; ++k) sum += A(i, k) * B(k, j);
      AB(i, j) = sum;
    }
  }
  return AB;
}

Real squared_norm(const LongMatrix& A) {
  return std::inner_product(A.entries.begin(), A.entries.end(), A.entries.begin(), Real(0));
}

Real trace(const LongMatrix& A) {
  Real sum = 0;
  for (Index i = 0; i < A.d; ++i) sum += A(i, i);
  return sum;
}

/// Taylor's series with scaling and squaring; the last term is below the rounding of long double.
LongMatrix expm(LongMatrix A) {
  const LongMatrix zero(A.d);
  int squarings = 0;
  while (std::sqrt(squared_norm(A)) > Real(0.5)) {
    A = combined(0.5, A, 0, zero);
    ++squarings;
  }
  LongMatrix sum(A.d, 1);
  LongMatrix term = sum;
  for (int k = 1; std::sqrt(squared_norm(term)) > Real(1e-21) && k < 40; ++k) {
    term = combined(Real(1) / k, product(term, A), 0, zero);
    sum = combined(1, sum, 1, term);
  }
  for (int i = 0; i < squarings; ++i) sum = product(sum, sum);
  return sum;
}

/// The order of |D (e + B z)|^2: the shape is pulled towards D^{-1} and then held there, while mean and step size,
/// which would run to zero, play no part.
Vector values_of(const LongMatrix& B, const Matrix& z, const Vector& D) {
  Vector values(z.cols());
  for (Index p = 0; p < z.cols(); ++p) {
    Real value = 0;
    for (Index i = 0; i < B.d; ++i) {
      Real y = i == 0 ? 1 : 0;
      for (Index k = 0; k < B.d; ++k) y += B(i, k) * Real(z(k, p));
      value += (Real(D[i]) * y) * (Real(D[i]) * y);
    }
    values[p] = static_cast<double>(value);
  }
  return values;
}

/// sum_i w_i (z_i z_i^T - I) over the ranks of the values [Glasmachers2010]
LongMatrix gradient_of(const Vector& values, const Matrix& z, const Vector& w) {
  std::vector<Index> order(static_cast<std::size_t>(z.cols()));
  std::iota(order.begin(), order.end(), Index(0));
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] < values[b]; });
  LongMatrix G(z.rows());
  for (Index rank = 0; rank < z.cols(); ++rank) {
    const Index p = order[static_cast<std::size_t>(rank)];
    for (Index j = 0; j < G.d; ++j) {
      for (Index i = 0; i < G.d; ++i) G(i, j) += Real(w[rank]) * (Real(z(i, p)) * Real(z(j, p)) - Real(i == j));
    }
  }
  return G;
}

/// |A - M|_F / |A|_F
double deviation(LongMatrix A, const Matrix& M) {
  const Real norm = squared_norm(A);
  for (Index j = 0; j < A.d; ++j) {
    for (Index i = 0; i < A.d; ++i) A(i, j) -= M(i, j);
  }
  return static_cast<double>(std::sqrt(squared_norm(A) / norm));
}

struct LongRun {
  Index d, popsize;
};

class LongRuns : public testing::TestWithParam<LongRun> {};
INSTANTIATE_TEST_SUITE_P(, LongRuns, testing::Values(LongRun{6, 8}, LongRun{9, 6}), [](const auto& test) {
  return test.param.popsize < test.param.d ? std::string("low_rank") : std::string("dense");
});

TEST_P(LongRuns, StayWithLongDouble) {
  const auto [d, popsize] = GetParam();
  const double beta = 0.2;
  const auto strategy = test::make_xnes(d, popsize, "lra:frame=B,eta_min=0.08,eta_max=0.08");
  const RankWeights weights = rank_weights(popsize);
  const Vector D = Vector::LinSpaced(d, 0, 3).unaryExpr([](double e) { return std::pow(10, e); });

  LongMatrix B(d, 1);
  LongMatrix P(d);
  const LongMatrix I(d, 1);
  CounterNormals normals(21);
  Matrix z(d, popsize);
  for (std::uint64_t t = 0; t < long_generations; ++t) {
    normals.fill(t, z);
    const Vector values = values_of(B, z, D);  // both rank by the same numbers: a tie broken otherwise is no drift

    const Measures measures = strategy->measures();
    const LearningRates rates = {measures["eta_m"], measures["eta_sigma"], measures["eta_B"]};
    const Real E2 = expected_squared_movement(d, weights.mu_w, rates);
    const Matrix& population = strategy->ask(t, normals);
    strategy->tell({population, values});

    LongMatrix G = gradient_of(values, z, weights.w);
    const Real G_sigma = trace(G) / static_cast<Real>(d);
    G = combined(1, G, -G_sigma, I);
    const LongMatrix growth = expm(combined(Real(rates.B) / 2, G, 0, I));
    const LongMatrix movement = combined(std::exp(Real(rates.sigma) * G_sigma), product(growth, growth), -1, I);
    P = combined(1 - Real(beta), P, std::sqrt(Real(beta) * (2 - Real(beta)) / E2), movement);
    B = product(B, growth);
  }

  const Matrix ours = test::matrix_of(*strategy, "B");
  const double deviation_of_B = deviation(B, ours);
  const double log_det = std::log(std::abs(ours.determinant()));
  const double l_theta = static_cast<double>(squared_norm(P) / 2);
  const Matrix O = PolarFactor(d)(ours);
  std::printf("after %llu generations: deviation of B %.1e, ln det B %.1e, of l_theta %.1e, orthogonality %.1e\n",
              static_cast<unsigned long long>(long_generations), deviation_of_B, log_det,
              std::abs(strategy->measures()["l_theta"] - l_theta) / l_theta, test::deviation_from_orthogonal(O));
  // Of at most 1e5 steps each one may be wrong by some units of rounding, 1e-15, all in the same direction; measured
  // 1e-11. A search of that length is rare, and what it does to B is far below what one generation of sampling does: no
  // refresh.
  EXPECT_LT(deviation_of_B, 1e-10);
  EXPECT_LT(std::abs(log_det), 1e-10);
  EXPECT_NEAR(strategy->measures()["l_theta"], l_theta, 1e-10 * l_theta);
  EXPECT_LT(test::deviation_from_orthogonal(O), 1e-13);
}

}  // namespace
}  // namespace surefoot
