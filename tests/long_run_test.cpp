// 100 000 generations against the same method in long double: what rounding does in the long run.

#include <gtest/gtest.h>

#include <cmath>

#include "core/linear_algebra/polar_factor.hpp"
#include "core/methods/xnes/rates/covariance_path.hpp"
#include "core/ranking/rank_weights.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t long_generations = 3000;
#else
constexpr std::uint64_t long_generations = 100000;
#endif

using Real = long double;
using LongMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

/// Taylor's series with scaling and squaring; the last term is below the rounding of long double.
LongMatrix expm(LongMatrix A) {
  int squarings = 0;
  while (A.norm() > Real(0.5)) {
    A /= 2;
    ++squarings;
  }
  LongMatrix sum = LongMatrix::Identity(A.rows(), A.cols());
  LongMatrix term = sum;
  for (int k = 1; term.norm() > Real(1e-21) && k < 40; ++k) {
    term = (term * A / k).eval();
    sum += term;
  }
  for (int i = 0; i < squarings; ++i) sum = (sum * sum).eval();
  return sum;
}

/// The order of |D (e + B z)|^2: the shape is pulled towards D^{-1} and then held there, while mean and step size,
/// which would run to zero, play no part.
template <class M, class V>
V values_of(const M& B, const M& z, const V& D) {
  V values(z.cols());
  for (Index i = 0; i < z.cols(); ++i) {
    V y = B * z.col(i);
    y[0] += 1;
    values[i] = D.cwiseProduct(y).squaredNorm();
  }
  return values;
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

  LongMatrix B = LongMatrix::Identity(d, d);
  LongMatrix P = LongMatrix::Zero(d, d);
  const LongMatrix I = LongMatrix::Identity(d, d);
  CounterNormals normals(21);
  Matrix z(d, popsize);
  for (std::uint64_t t = 0; t < long_generations; ++t) {
    normals.fill(t, z);
    const LongMatrix long_z = z.cast<Real>();
    const LongVector long_values = values_of<LongMatrix, LongVector>(B, long_z, D.cast<Real>());
    const Vector values =
        long_values.cast<double>();  // both rank by the same numbers: a tie broken otherwise is no drift

    const Measures measures = strategy->measures();
    const LearningRates rates = {measures["eta_m"], measures["eta_sigma"], measures["eta_B"]};
    const Real E2 = expected_squared_movement(d, weights.mu_w, rates);
    const Matrix& population = strategy->ask(t, normals);
    strategy->tell({population, values});

    std::vector<Index> order(static_cast<std::size_t>(popsize));
    for (Index i = 0; i < popsize; ++i) order[static_cast<std::size_t>(i)] = i;
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] < values[b]; });
    LongMatrix G = LongMatrix::Zero(d, d);
    for (Index i = 0; i < popsize; ++i) {
      const LongVector zi = long_z.col(order[static_cast<std::size_t>(i)]);
      G += Real(weights.w[i]) * (zi * zi.transpose() - I);
    }
    const Real G_sigma = G.trace() / static_cast<Real>(d);
    G -= G_sigma * I;
    const LongMatrix growth = expm(Real(rates.B) / 2 * G);
    P = (1 - Real(beta)) * P +
        std::sqrt(Real(beta) * (2 - Real(beta)) / E2) * (std::exp(Real(rates.sigma) * G_sigma) * growth * growth - I);
    B = (B * growth).eval();
  }

  const Matrix ours = test::matrix_of(*strategy, "B");
  const auto deviation = static_cast<double>((ours.cast<Real>() - B).norm() / B.norm());
  const double log_det = std::log(std::abs(ours.determinant()));
  const double l_theta = static_cast<double>(P.squaredNorm() / 2);
  const Matrix O = PolarFactor(d)(ours);
  std::printf("after %llu generations: deviation of B %.1e, ln det B %.1e, of l_theta %.1e, orthogonality %.1e\n",
              static_cast<unsigned long long>(long_generations), deviation, log_det,
              std::abs(strategy->measures()["l_theta"] - l_theta) / l_theta, test::deviation_from_orthogonal(O));
  // Of 1e5 steps each one may be wrong by some units of rounding, 1e-15, all in the same direction; measured 1e-11. A
  // search of that length is rare, and what it does to B is far below what one generation of sampling does: no refresh.
  EXPECT_LT(deviation, 1e-10);
  EXPECT_LT(std::abs(log_det), 1e-10);
  EXPECT_NEAR(strategy->measures()["l_theta"], l_theta, 1e-10 * l_theta);
  EXPECT_LT(test::deviation_from_orthogonal(O), 1e-13);
}

}  // namespace
}  // namespace surefoot
