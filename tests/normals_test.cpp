#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "surefoot/normal_source.hpp"

namespace surefoot {
namespace {

Matrix normals(std::uint64_t seed, std::uint32_t run, std::uint64_t generation, Index d, Index popsize) {
  Matrix z(d, popsize);
  CounterNormals(seed, run).fill(generation, z);
  return z;
}

TEST(CounterNormals, DependOnNothingButTheirIndices) {
  const Matrix z = normals(5, 0, 7, 11, 40);
  EXPECT_EQ(z, normals(5, 0, 7, 11, 40));
  EXPECT_EQ(z.leftCols(3), normals(5, 0, 7, 11, 3)) << "a candidate's numbers depend on the popsize";
  EXPECT_EQ(z.topRows(10), normals(5, 0, 7, 10, 40)) << "a coordinate's number depends on the dimension";
}

TEST(CounterNormals, DifferInEveryIndex) {
  const Matrix z = normals(0, 0, 0, 4, 4);
  EXPECT_NE(z, normals(1, 0, 0, 4, 4));
  EXPECT_NE(z, normals(std::uint64_t{1} << 32U, 0, 0, 4, 4));
  EXPECT_NE(z, normals(0, 1, 0, 4, 4));
  EXPECT_NE(z, normals(0, 0, 1, 4, 4));
  EXPECT_NE(z, normals(0, 0, std::uint64_t{1} << 40U, 4, 4));
  EXPECT_NE(z.col(0), z.col(1));
  // Candidates and coordinates share a word of the counter with others: large ones must not run into each other.
  const Matrix wide = normals(0, 0, 0, 2, 70000);
  EXPECT_NE(wide.col(0), wide.col(65536));
}

TEST(CounterNormals, AreWhatPhiloxAndBoxMullerSay) {
  const philox4x32_ctr_t counter = {{3, 9, 2U << 16U, 1U << 8U}};
  const philox4x32_key_t key = {{17, 0}};
  const philox4x32_ctr_t word = philox4x32(counter, key);
  const std::uint64_t a = word.v[0] | (std::uint64_t{word.v[1]} << 32U);
  const std::uint64_t b = word.v[2] | (std::uint64_t{word.v[3]} << 32U);
  const double u = 1 - std::ldexp(static_cast<double>(a >> 12U), -52);
  const double quadrant = static_cast<double>(b >> 62U);
  const double v = std::ldexp(static_cast<double>((b << 2U) >> 12U), -52);
  const double radius = std::sqrt(-2 * std::log(u));
  const double angle = std::acos(-1.0) / 2 * (quadrant + v - 0.5);
  const Matrix z = normals(17, 3, 9, 4, 3);
  EXPECT_NEAR(z(2, 2), radius * std::cos(angle), 1e-14);
  EXPECT_NEAR(z(3, 2), radius * std::sin(angle), 1e-14);
}

TEST(CounterNormals, PhiloxIsPhilox) {  // known answers of the generator's authors
  const philox4x32_ctr_t counter = {{0, 0, 0, 0}};
  const philox4x32_key_t key = {{0, 0}};
  const philox4x32_ctr_t zero = philox4x32(counter, key);
  EXPECT_EQ(zero.v[0], 0x6627e8d5U);
  EXPECT_EQ(zero.v[1], 0xe169c58dU);
  EXPECT_EQ(zero.v[2], 0xbc57ac4cU);
  EXPECT_EQ(zero.v[3], 0x9b00dbd8U);
}

// The same bits on every machine and in every version: a seed that somebody has published keeps its meaning.
TEST(CounterNormals, NeverChange) {
  std::uint64_t hash = 1469598103934665603U;  // Fowler, Noll and Vo
  for (const Index d : {1, 2, 3, 7, 10, 33, 129}) {
    for (const Index popsize : {2, 5, 64, 301}) {
      for (const std::uint64_t generation : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{5000000000}}) {
        const Matrix z = normals(86419752307U, 3, generation, d, popsize);
        for (const double value : z.reshaped()) hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 1099511628211U;
      }
    }
  }
  EXPECT_EQ(hash, 0x5882f4b18b011c65U);
}

class Million : public testing::Test {
 protected:
  static const std::vector<double>& sample() {
    static const std::vector<double> values = [] {
      const Matrix z = normals(2022, 0, 0, 1000, 1000);
      return std::vector<double>(z.data(), z.data() + z.size());
    }();
    return values;
  }
};

// The standard error of the k-th sample moment of n normals is sqrt((E z^2k - (E z^k)^2)/n); 4 of them are allowed.
TEST_F(Million, HasTheMomentsOfANormal) {
  const auto n = static_cast<double>(sample().size());
  double m1 = 0;
  double m2 = 0;
  double m3 = 0;
  double m4 = 0;
  for (const double z : sample()) {
    m1 += z / n;
    m2 += z * z / n;
    m3 += z * z * z / n;
    m4 += z * z * z * z / n;
  }
  EXPECT_NEAR(m1, 0, 4 * std::sqrt(1 / n));
  EXPECT_NEAR(m2, 1, 4 * std::sqrt(2 / n));
  EXPECT_NEAR(m3, 0, 4 * std::sqrt(15 / n));
  EXPECT_NEAR(m4, 3, 4 * std::sqrt(96 / n));
}

TEST_F(Million, HasTheTailsOfANormal) {
  for (const double bound : {2.0, 3.0, 4.0}) {
    const double p = std::erfc(bound / std::sqrt(2.0));
    const double expected = p * static_cast<double>(sample().size());
    const auto found = std::count_if(sample().begin(), sample().end(), [&](double z) { return std::abs(z) > bound; });
    EXPECT_NEAR(static_cast<double>(found), expected, 4 * std::sqrt(expected)) << "beyond " << bound;
  }
}

TEST_F(Million, PassesKolmogorovAndSmirnov) {
  std::vector<double> sorted = sample();
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<double>(sorted.size());
  double distance = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double cdf = std::erfc(-sorted[i] / std::sqrt(2.0)) / 2;
    distance = std::max({distance, cdf - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - cdf});
  }
  EXPECT_LT(distance * std::sqrt(n), 1.95);  // exceeded once in a thousand samples
}

TEST(CounterNormals, AreUncorrelatedBetweenCoordinatesAndCandidates) {
  const Index n = 20000;
  const Matrix z = normals(99, 0, 0, 6, n);
  const Matrix correlation = z * z.transpose() / static_cast<double>(n);
  const Matrix lagged = z.leftCols(n - 1) * z.rightCols(n - 1).transpose() / static_cast<double>(n);
  EXPECT_LT((correlation - Matrix::Identity(6, 6)).cwiseAbs().maxCoeff(),
            4.5 * std::sqrt(2.0 / static_cast<double>(n)));
  EXPECT_LT(lagged.cwiseAbs().maxCoeff(), 4.5 / std::sqrt(static_cast<double>(n)));
}

}  // namespace
}  // namespace surefoot
