// The elementary functions against values of many digits, the special cases of the C standard, and the bits that every
// machine must give.

#include "core/elementary/elementary.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace surefoot {
namespace {

constexpr double elementary_infinity = std::numeric_limits<double>::infinity();
constexpr double elementary_nan = std::numeric_limits<double>::quiet_NaN();

struct ElementaryFunction {
  double (*value)(double, double);
  double largest_error;  // in units of the last place, as elementary.hpp promises, and half of one for the table's
                         // rounding
};

template <double (*f)(double)>
double of_one(double x, double /*y*/) {
  return f(x);
}

const std::map<std::string, ElementaryFunction>& elementary_functions() {
  static const std::map<std::string, ElementaryFunction> functions = {
      {"exp", {of_one<elementary::exp>, 1.1}},     {"expm1", {of_one<elementary::expm1>, 2.5}},
      {"log", {of_one<elementary::log>, 1.5}},     {"log1p", {of_one<elementary::log1p>, 2.5}},
      {"log10", {of_one<elementary::log10>, 1.1}}, {"tanh", {of_one<elementary::tanh>, 3.5}},
      {"erfc", {of_one<elementary::erfc>, 6.5}},   {"sin", {of_one<elementary::sin>, 2}},
      {"cos", {of_one<elementary::cos>, 2}},       {"pow", {elementary::pow, 1.1}}};
  return functions;
}

double last_place(double value) { return std::nextafter(std::abs(value), elementary_infinity) - std::abs(value); }

TEST(Elementary, IsAsAccurateAsPromised) {
  std::ifstream file(SUREFOOT_TEST_DATA "/elementary.csv");
  std::map<std::string, int> tested;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    const double x = std::strtod(cells.at(1).c_str(), nullptr);
    const double y = std::strtod(cells.at(2).c_str(), nullptr);
    const double value = std::strtod(cells.at(3).c_str(), nullptr);
    const ElementaryFunction& f = elementary_functions().at(cells.at(0));
    EXPECT_LE(std::abs(f.value(x, y) - value), f.largest_error * last_place(value)) << line;
    ++tested[cells.at(0)];
  }
  EXPECT_EQ(tested.size(), elementary_functions().size());
}

TEST(Elementary, KnowsTheSpecialCasesOfTheStandard) {
  const std::vector<double> odd = {0.0,
                                   -0.0,
                                   1,
                                   -1,
                                   0.5,
                                   -0.5,
                                   2,
                                   -2,
                                   3,
                                   -3,
                                   1e9,
                                   -1e9,
                                   5e-324,
                                   -5e-324,
                                   1e308,
                                   -1e308,
                                   2.5,
                                   1e17,
                                   elementary_infinity,
                                   -elementary_infinity,
                                   elementary_nan};
  const auto expect_same = [](double own, double standard, const std::string& what) {
    if (std::isnan(standard)) {
      EXPECT_TRUE(std::isnan(own)) << what;
    } else if (std::isinf(standard) || standard == 0) {
      EXPECT_EQ(own, standard) << what;
      EXPECT_EQ(std::signbit(own), std::signbit(standard)) << what;
    } else {
      EXPECT_LE(std::abs(own - standard), 8 * last_place(standard)) << what;
    }
  };
  for (const double x : odd) {
    const std::string text = std::to_string(x);
    expect_same(elementary::exp(x), std::exp(x), "exp " + text);
    expect_same(elementary::expm1(x), std::expm1(x), "expm1 " + text);
    expect_same(elementary::log(x), std::log(x), "log " + text);
    expect_same(elementary::log1p(x), std::log1p(x), "log1p " + text);
    expect_same(elementary::log10(x), std::log10(x), "log10 " + text);
    expect_same(elementary::tanh(x), std::tanh(x), "tanh " + text);
    expect_same(elementary::erfc(x), std::erfc(x), "erfc " + text);
    for (const double y : odd) expect_same(elementary::pow(x, y), std::pow(x, y), "pow " + text + std::to_string(y));
    if (std::abs(x) < 0x1p51 || !std::isfinite(x)) {
      expect_same(elementary::sin(x), std::sin(x), "sin " + text);
      expect_same(elementary::cos(x), std::cos(x), "cos " + text);
    } else {
      EXPECT_LE(std::abs(elementary::sin(x)), 1);
      EXPECT_LE(std::abs(elementary::cos(x)), 1);
    }
  }
}

TEST(Elementary, GivesExactPowersExactly) {
  for (int n = -20; n <= 22; ++n) {
    EXPECT_EQ(elementary::pow(2, n), std::ldexp(1, n));
    if (n < 0) continue;
    EXPECT_EQ(elementary::log10(std::stod("1e" + std::to_string(n))), n);
    EXPECT_EQ(elementary::pow(10, n), std::stod("1e" + std::to_string(n)));
  }
}

TEST(Elementary, PacksHaveTheBitsOfSingleNumbers) {
  std::vector<double> numbers;
  for (int i = 0; i < 1003; ++i) numbers.push_back((i - 500) * 1.37);
  std::vector<double> all = numbers;
  elementary::exp_all(all.data(), static_cast<Index>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], elementary::exp(numbers[i]));
  numbers.push_back(710);  // beyond what packs can do
  numbers.push_back(elementary_nan);
  all = numbers;
  elementary::exp_all(all.data(), static_cast<Index>(all.size()));
  EXPECT_EQ(all.front(), elementary::exp(numbers.front()));
  EXPECT_EQ(all[all.size() - 2], elementary_infinity);
  EXPECT_TRUE(std::isnan(all.back()));
}

/// FNV-1a over the bits of 20000 values of each function.
std::uint64_t elementary_bits() {
  std::uint64_t hash = 14695981039346656037U;
  std::uint64_t state = 1;
  const auto uniform = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state >> 11U) * 0x1p-53;
  };
  for (const auto& [name, f] : elementary_functions()) {
    for (int i = 0; i < 20000; ++i) {
      const double x = 40 * uniform() - (name.starts_with("log") || name == "pow" ? 0 : 20);
      const auto bits = std::bit_cast<std::uint64_t>(f.value(x, 6 * uniform() - 3));
      for (unsigned shift = 0; shift < 64; shift += 8) hash = (hash ^ ((bits >> shift) & 0xffU)) * 1099511628211U;
    }
  }
  return hash;
}

TEST(Elementary, HasTheSameBitsEverywhere) { EXPECT_EQ(elementary_bits(), 9887367988765999896U); }

}  // namespace
}  // namespace surefoot
