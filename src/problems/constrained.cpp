#include "surefoot/constrained.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "problems/look_up.hpp"

namespace surefoot {
namespace {

using elementary::sin;
using std::numbers::pi;

double squared(double u) { return u * u; }
double cubed(double u) { return u * u * u; }

double squared_length(const double* x, Index d) {
  double sum = 0;
  for (Index i = 0; i < d; ++i) sum += squared(x[i]);
  return sum;
}

Evaluation lin(const double* x, Index d) { return {.f = squared_length(x, d), .g = {1 - x[0]}}; }

Evaluation mul10(const double* x, Index d) {
  return {.f = squared_length(x, d), .g = {1 - x[0], 1 - x[1], 1 - x[2], 1 - x[3], 1 - x[4]}};
}

Evaluation eli10(const double* x, Index d) {
  Evaluation e{.f = 0, .g = {1}};
  for (Index i = 0; i < d; ++i) {
    e.f += elementary::pow(10.0, 6 * static_cast<double>(i) / static_cast<double>(d - 1)) * squared(x[i]);
    e.g[0] -= x[i];
  }
  return e;
}

Evaluation g04(const double* x, Index /*d*/) {
  const double u = 85.334407 + 0.0056858 * x[1] * x[4] + 0.0006262 * x[0] * x[3] - 0.0022053 * x[2] * x[4];
  const double v = 80.51249 + 0.0071317 * x[1] * x[4] + 0.0029955 * x[0] * x[1] + 0.0021813 * squared(x[2]);
  const double w = 9.300961 + 0.0047026 * x[2] * x[4] + 0.0012547 * x[0] * x[2] + 0.0019085 * x[2] * x[3];
  return {.f = 5.3578547 * squared(x[2]) + 0.8356891 * x[0] * x[4] + 37.293239 * x[0] - 40792.141,
          .g = {u - 92, -u, v - 110, 90 - v, w - 25, 20 - w}};
}

Evaluation g06(const double* x, Index /*d*/) {
  return {.f = cubed(x[0] - 10) + cubed(x[1] - 20),
          .g = {100 - squared(x[0] - 5) - squared(x[1] - 5), squared(x[0] - 6) + squared(x[1] - 5) - 82.81}};
}

Evaluation g07(const double* x, Index /*d*/) {
  const double f = squared(x[0]) + squared(x[1]) + x[0] * x[1] - 14 * x[0] - 16 * x[1] + squared(x[2] - 10) +
                   4 * squared(x[3] - 5) + squared(x[4] - 3) + 2 * squared(x[5] - 1) + 5 * squared(x[6]) +
                   7 * squared(x[7] - 11) + 2 * squared(x[8] - 10) + squared(x[9] - 7) + 45;
  return {.f = f,
          .g = {-105 + 4 * x[0] + 5 * x[1] - 3 * x[6] + 9 * x[7], 10 * x[0] - 8 * x[1] - 17 * x[6] + 2 * x[7],
                -8 * x[0] + 2 * x[1] + 5 * x[8] - 2 * x[9] - 12,
                3 * squared(x[0] - 2) + 4 * squared(x[1] - 3) + 2 * squared(x[2]) - 7 * x[3] - 120,
                5 * squared(x[0]) + 8 * x[1] + squared(x[2] - 6) - 2 * x[3] - 40,
                squared(x[0]) + 2 * squared(x[1] - 2) - 2 * x[0] * x[1] + 14 * x[4] - 6 * x[5],
                0.5 * squared(x[0] - 8) + 2 * squared(x[1] - 4) + 3 * squared(x[4]) - x[5] - 30,
                -3 * x[0] + 6 * x[1] + 12 * squared(x[8] - 8) - 7 * x[9]}};
}

/// At x_1 = 0, a bound, f is 0/0.
Evaluation g08(const double* x, Index /*d*/) {
  return {.f = -cubed(sin(2 * pi * x[0])) * sin(2 * pi * x[1]) / (cubed(x[0]) * (x[0] + x[1])),
          .g = {squared(x[0]) - x[1] + 1, 1 - x[0] + squared(x[1] - 4)}};
}

Evaluation g09(const double* x, Index /*d*/) {
  const double x1 = squared(x[1]);
  const double f = squared(x[0] - 10) + 5 * squared(x[1] - 12) + squared(squared(x[2])) + 3 * squared(x[3] - 11) +
                   10 * squared(cubed(x[4])) + 7 * squared(x[5]) + squared(squared(x[6])) - 4 * x[5] * x[6] -
                   10 * x[5] - 8 * x[6];
  return {.f = f,
          .g = {-127 + 2 * squared(x[0]) + 3 * squared(x1) + x[2] + 4 * squared(x[3]) + 5 * x[4],
                -282 + 7 * x[0] + 3 * x[1] + 10 * squared(x[2]) + x[3] - x[4],
                -196 + 23 * x[0] + x1 + 6 * squared(x[5]) - 8 * x[6],
                4 * squared(x[0]) + x1 - 3 * x[0] * x[1] + 2 * squared(x[2]) + 5 * x[5] - 11 * x[6]}};
}

Evaluation g10(const double* x, Index /*d*/) {
  return {.f = x[0] + x[1] + x[2],
          .g = {-1 + 0.0025 * (x[3] + x[5]), -1 + 0.0025 * (x[4] + x[6] - x[3]), -1 + 0.01 * (x[7] - x[4]),
                -x[0] * x[5] + 833.33252 * x[3] + 100 * x[0] - 83333.333,
                -x[1] * x[6] + 1250 * x[4] + x[1] * x[3] - 1250 * x[3],
                -x[2] * x[7] + 1250000 + x[2] * x[4] - 2500 * x[4]}};
}

Evaluation g11(const double* x, Index /*d*/) {
  return {.f = squared(x[0]) + squared(x[1] - 1), .h = {x[1] - squared(x[0])}};
}

Evaluation g24(const double* x, Index /*d*/) {
  const double s = squared(x[0]);
  return {.f = -x[0] - x[1],
          .g = {-2 * squared(s) + 8 * s * x[0] - 8 * s + x[1] - 2,
                -4 * squared(s) + 32 * s * x[0] - 88 * s + 96 * x[0] + x[1] - 36}};
}

Bounds box(std::initializer_list<double> lower, std::initializer_list<double> upper) {
  const auto vector = [](std::initializer_list<double> numbers) {
    return Vector(Eigen::Map<const Vector>(numbers.begin(), static_cast<Index>(numbers.size())));
  };
  return {vector(lower), vector(upper)};
}

Bounds cube(Index d, double low, double high) { return {Vector::Constant(d, low), Vector::Constant(d, high)}; }

Vector point(std::initializer_list<double> x) {
  return Eigen::Map<const Vector>(x.begin(), static_cast<Index>(x.size()));
}

/// The minimum of sum_i a_i x_i^2 with sum_i x_i = 1: x_i = (1/a_i)/sum_j (1/a_j). f is there x_1, since a_1 = 1.
Vector best_of_eli10() {
  Vector x(10);
  for (Index i = 0; i < 10; ++i) x[i] = elementary::pow(10.0, -6 * static_cast<double>(i) / 9);
  return x / x.sum();
}

}  // namespace

const std::vector<ConstrainedProblem>& constrained_table() {
  static const std::vector<ConstrainedProblem> table = {
      {"lin", "sphere with x1 >= 1: one active constraint, multiplier 2", "Atamna2017", 0, 1, 0, {}, 3, 1, 1, {}, lin},
      {"mul10",
       "sphere with x1, ..., x5 >= 1: five active constraints, multipliers 2",
       "Atamna2017",
       10,
       5,
       0,
       {},
       3,
       1,
       5,
       point({1, 1, 1, 1, 1, 0, 0, 0, 0, 0}),
       mul10},
      {"eli10",
       "ellipsoid of condition 1e6 with a sum of at least 1",
       "Atamna2017",
       10,
       1,
       0,
       {},
       3,
       1,
       best_of_eli10()[0],
       best_of_eli10(),
       eli10},
      {"g04", "quadratic with three two-sided constraints, two active", "Liang2006", 5, 6, 0,
       box({78, 33, 27, 27, 27}, {102, 45, 45, 45, 45}), 0, 0, -30665.53867178332,
       point({78, 33, 29.9952560256815985, 45, 36.7758129057882073}), g04},
      {"g06", "cubic between two circles, whose sickle is feasible", "Liang2006", 2, 2, 0, box({13, 0}, {100, 100}), 0,
       0, -6961.813875580138, point({14.095, 0.842960789215478}), g06},
      {"g07", "quadratic with eight constraints, six active", "Liang2006", 10, 8, 0, cube(10, -10, 10), 0, 0,
       24.306209068179,
       point({2.17199634142692, 2.3636830416034, 8.77392573913157, 5.09598443745173, 0.990654756560493,
              1.43057392853463, 1.32164415364306, 9.82872576524495, 8.2800915887356, 8.3759266477347}),
       g07},
      {"g08", "waves with a small feasible island, no constraint active", "Liang2006", 2, 2, 0, cube(2, 0, 10), 0, 0,
       -0.0958250414180359, point({1.22797135260752599, 4.24537336612274885}), g08},
      {"g09", "polynomial with four constraints, two active", "Liang2006", 7, 4, 0, cube(7, -10, 10), 0, 0,
       680.6300573744021,
       point({2.33049935147405174, 1.95137236847114592, -0.477541399510615805, 4.36572624923625874,
              -0.624486959100388983, 1.03813099410962173, 1.5942266780671519}),
       g09},
      {"g10", "linear at a vertex of six constraints, whose scales differ by 1e6", "Liang2006", 8, 6, 0,
       box({100, 1000, 1000, 10, 10, 10, 10, 10}, {10000, 10000, 10000, 1000, 1000, 1000, 1000, 1000}), 0, 0,
       7049.248020528666,
       point({579.306685017979589, 1359.97067807935605, 5109.97065743133317, 182.01769963061534, 295.601173702746792,
              217.982300369384632, 286.41652592786852, 395.601173702746735}),
       g10},
      {"g11", "quadratic on a parabola: one equality", "Liang2006", 2, 0, 1, cube(2, -1, 1), 0, 0, 0.75,
       point({-0.70710678118654752, 0.5}), g11},
      {"g24", "linear over two feasible regions with curved edges", "Liang2006", 2, 2, 0, box({0, 0}, {3, 4}), 0, 0,
       -5.508013271595, point({2.32952019747762, 3.17849307411774}), g24},
  };
  return table;
}

const ConstrainedProblem* look_up_constrained(const std::string& name) {
  const auto& table = constrained_table();
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const ConstrainedProblem& p) { return p.name == name; });
  return row == table.end() ? nullptr : &*row;
}

std::vector<std::string> constrained_names() {
  std::vector<std::string> names;
  for (const ConstrainedProblem& p : constrained_table()) names.push_back(p.name);
  return names;
}

const ConstrainedProblem& find_constrained(const std::string& name) {
  const ConstrainedProblem* problem = look_up_constrained(name);
  if (problem == nullptr) reject("problem", "'" + name + "'", "known problems are " + listed(constrained_names()));
  return *problem;
}

}  // namespace surefoot
