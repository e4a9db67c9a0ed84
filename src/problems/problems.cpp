#include "surefoot/problems.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

using std::numbers::pi;

double square(double u) { return u * u; }

double sphere(const double* x, Index d) {
  double sum = 0;
  for (Index i = 0; i < d; ++i) sum += square(x[i]);
  return sum;
}

double ellipsoid(const double* x, Index d) {
  double sum = 0;
  for (Index i = 0; i < d; ++i) {
    const double exponent = d == 1 ? 0 : static_cast<double>(i) / static_cast<double>(d - 1);
    sum += square(std::pow(1000.0, exponent) * x[i]);
  }
  return sum;
}

double rastrigin(const double* x, Index d) {
  double sum = 0;
  for (Index i = 0; i < d; ++i) sum += square(x[i]) + 10 - 10 * std::cos(2 * pi * x[i]);
  return sum;
}

double bohachevsky(const double* x, Index d) {
  double sum = 0;
  for (Index i = 0; i + 1 < d; ++i) {
    sum +=
        square(x[i]) + 2 * square(x[i + 1]) - 0.3 * std::cos(3 * pi * x[i]) - 0.4 * std::cos(4 * pi * x[i + 1]) + 0.7;
  }
  return sum;
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

template <double (*value)(const double*, Index)>
Problem row(const char* name, const char* title, const char* formula, const char* citation, const Numbers& n) {
  return {name, title, formula, citation, n.min_dimension, n.start, n.sigma0, n.optimum, value, for_population<value>};
}

}  // namespace

const std::vector<Problem>& problem_table() {
  static const std::vector<Problem> table = {
      row<sphere>("sphere", "Sphere", "sum x_i^2", "NomuraOno2022", {1, 3, 2, 0}),
      row<ellipsoid>("ellipsoid", "Ellipsoid", "sum (1000^((i-1)/(d-1)) x_i)^2", "NomuraOno2022", {1, 3, 2, 0}),
      row<rastrigin>("rastrigin", "Rastrigin", "10 d + sum (x_i^2 - 10 cos(2 pi x_i))", "NomuraOno2022", {1, 3, 2, 0}),
      row<bohachevsky>("bohachevsky", "Bohachevsky",
                       "sum_{i<d} (x_i^2 + 2 x_{i+1}^2 - 0.3 cos(3 pi x_i) - 0.4 cos(4 pi x_{i+1}) + 0.7)",
                       "NomuraOno2022", {2, 8, 7, 0}),
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
