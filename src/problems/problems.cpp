#include "surefoot/problems.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/invalid_option.hpp"
#include "core/pack.hpp"
#include "core/trigonometry.hpp"

namespace surefoot {
namespace {

using std::numbers::pi;

double square(double u) { return u * u; }

double sphere(const double* x, Index d) {
  double sum = 0;
  for (Index i = 0; i < d; ++i) sum += square(x[i]);
  return sum;
}

Vector ellipsoid_scales(Index d) {
  Vector scales(d);
  for (Index i = 0; i < d; ++i) {
    const double exponent = d == 1 ? 0 : static_cast<double>(i) / static_cast<double>(d - 1);
    scales[i] = std::pow(1000.0, exponent);
  }
  return scales;
}

double ellipsoid_sum(const Vector& scales, const double* x) {
  double sum = 0;
  for (Index i = 0; i < scales.size(); ++i) sum += square(scales[i] * x[i]);
  return sum;
}

double ellipsoid(const double* x, Index d) { return ellipsoid_sum(ellipsoid_scales(d), x); }

void ellipsoid_of_population(const Matrix& population, Vector& values) {
  const Vector scales = ellipsoid_scales(population.rows());  // d powers a population, not a point
  for (Index i = 0; i < population.cols(); ++i) values[i] = ellipsoid_sum(scales, population.col(i).data());
}

/// sum_{begin <= i < end} term(x_i), the terms computed in packs, added one after the other so that the sum does not
/// depend on the width of the packs.
template <class Packs, class Term>
SUREFOOT_INLINE double sum_of_terms(const double* begin, const double* end, const Term& term) {
  using Real = typename Packs::Real;
  constexpr Index n = lanes<Real>;
  std::array<double, static_cast<std::size_t>(n)> part{};
  double sum = 0;
  for (; end - begin >= n; begin += n) {
    store(part.data(), term(load<Real>(begin)));
    for (const double value : part) sum += value;
  }
  if (begin == end) return sum;
  std::array<double, static_cast<std::size_t>(n)> rest{};
  std::copy(begin, end, rest.begin());
  store(part.data(), term(load<Real>(rest.data())));
  for (Index i = 0; i < end - begin; ++i) sum += part[static_cast<std::size_t>(i)];
  return sum;
}

struct Rastrigin {
  template <class Packs>
  SUREFOOT_INLINE static double value(const double* x, Index d) {
    using Real = typename Packs::Real;
    return sum_of_terms<Packs>(
        x, x + d, [](const Real& u) SUREFOOT_KERNEL -> Real { return u * u + 10 * versine_of_turns<Real>(u); });
  }
};

struct Bohachevsky {
  template <class Packs>
  SUREFOOT_INLINE static double value(const double* x, Index d) {
    using Real = typename Packs::Real;
    const auto first = [](const Real& u)
                           SUREFOOT_KERNEL -> Real { return u * u + 0.3 * versine_of_turns<Real>(1.5 * u); };
    const auto second = [](const Real& u)
                            SUREFOOT_KERNEL -> Real { return 2 * u * u + 0.4 * versine_of_turns<Real>(2 * u); };
    return sum_of_terms<Packs>(x, x + d - 1, first) + sum_of_terms<Packs>(x + 1, x + d, second);
  }
};

template <class Function>
void in_packs(const Matrix& population, Vector& values) {
  with_widest_packs([&](auto packs) SUREFOOT_KERNEL {
    for (Index i = 0; i < population.cols(); ++i) {
      values[i] = Function::template value<decltype(packs)>(population.col(i).data(), population.rows());
    }
  });
}

/// One point takes the same way as a population, so that both give the same bits.
template <class Function>
double one_in_packs(const double* x, Index d) {
  double result = 0;
  with_widest_packs([&](auto packs) SUREFOOT_KERNEL { result = Function::template value<decltype(packs)>(x, d); });
  return result;
}

double k_tablet(const double* x, Index d) {
  double sum = 0;
  for (Index i = 0; i < d; ++i) sum += square(i < d / 2 ? x[i] : 100 * x[i]);
  return sum;
}

double schaffer(const double* x, Index d) {
  double sum = 0;
  for (Index i = 0; i + 1 < d; ++i) {
    const double r = square(x[i]) + square(x[i + 1]);
    sum += std::pow(r, 0.25) * (square(std::sin(50 * std::pow(r, 0.1))) + 1);
  }
  return sum;
}

double rosenbrock(const double* x, Index d) {
  double sum = 0;
  for (Index i = 0; i + 1 < d; ++i) sum += 100 * square(x[i + 1] - square(x[i])) + square(x[i] - 1);
  return sum;
}

double cigar(const double* x, Index d) {
  double sum = square(x[0]);
  for (Index i = 1; i < d; ++i) sum += square(1000 * x[i]);
  return sum;
}

double ackley(const double* x, Index d) {
  double squares = 0;
  double cosines = 0;
  for (Index i = 0; i < d; ++i) {
    squares += square(x[i]);
    cosines += 1 - std::cos(2 * pi * x[i]);
  }
  const auto n = static_cast<double>(d);
  // 20 - 20 exp(-a) + e - exp(1 - b), written so that it is exact at the optimum.
  return -20 * std::expm1(-0.2 * std::sqrt(squares / n)) - std::numbers::e * std::expm1(-cosines / n);
}

template <double (*value)(const double*, Index)>
void for_population(const Matrix& population, Vector& values) {
  for (Index i = 0; i < population.cols(); ++i) values[i] = value(population.col(i).data(), population.rows());
}

struct Numbers {
  Index min_dimension;
  double start;
  double sigma0;
  double optimum;
};

template <double (*value)(const double*, Index), void (*values)(const Matrix&, Vector&) = for_population<value>>
Problem row(const char* name, const char* title, const char* formula, const char* citation, const Numbers& n) {
  return {name, title, formula, citation, n.min_dimension, n.start, n.sigma0, n.optimum, value, values};
}

}  // namespace

const std::vector<Problem>& problem_table() {
  static const std::vector<Problem> table = {
      row<sphere>("sphere", "Sphere", "sum x_i^2", "NomuraOno2022", {1, 3, 2, 0}),
      row<ellipsoid, ellipsoid_of_population>("ellipsoid", "Ellipsoid", "sum (1000^((i-1)/(d-1)) x_i)^2",
                                              "NomuraOno2022", {1, 3, 2, 0}),
      row<one_in_packs<Rastrigin>, in_packs<Rastrigin>>(
          "rastrigin", "Rastrigin", "10 d + sum (x_i^2 - 10 cos(2 pi x_i))", "NomuraOno2022", {1, 3, 2, 0}),
      row<one_in_packs<Bohachevsky>, in_packs<Bohachevsky>>(
          "bohachevsky", "Bohachevsky",
          "sum_{i<d} (x_i^2 + 2 x_{i+1}^2 - 0.3 cos(3 pi x_i) - 0.4 cos(4 pi x_{i+1}) + 0.7)", "NomuraOno2022",
          {2, 8, 7, 0}),
      row<k_tablet>("k-tablet", "k-Tablet", "sum_{i<=d/2} x_i^2 + sum_{i>d/2} (100 x_i)^2", "Ujihara2026",
                    {1, 3, 2, 0}),
      row<schaffer>("schaffer", "Schaffer", "sum_{i<d} r^0.25 (sin^2(50 r^0.1) + 1), r = x_i^2 + x_{i+1}^2",
                    "HansenKern2004", {2, 55, 45, 0}),
      row<rosenbrock>("rosenbrock", "Rosenbrock", "sum_{i<d} (100 (x_{i+1} - x_i^2)^2 + (x_i - 1)^2)", "Rosenbrock1960",
                      {2, 0, 0.5, 1}),
      row<cigar>("cigar", "Cigar", "x_1^2 + sum_{i>1} (1000 x_i)^2", "HansenKern2004", {1, 3, 2, 0}),
      row<ackley>("ackley", "Ackley", "20 + e - 20 exp(-0.2 sqrt(sum x_i^2/d)) - exp(sum cos(2 pi x_i)/d)",
                  "Ackley1987", {1, 10, 10, 0}),
  };
  return table;
}

const Problem& find_problem(const std::string& name) {
  const auto& table = problem_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Problem& p) { return p.name == name; });
  if (found == table.end()) {
    std::vector<std::string> names;
    for (const Problem& p : table) names.push_back(p.name);
    reject("problem", "'" + name + "'", "known problems are " + listed(names));
  }
  return *found;
}

}  // namespace surefoot
