#include "surefoot/problems.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "core/linear_algebra/pack.hpp"
#include "core/linear_algebra/trigonometry.hpp"
#include "problems/look_up.hpp"

namespace surefoot {
namespace {

using std::numbers::pi;

double square(double u) { return u * u; }

/// One point or a population; the coordinates of a point are next to each other.
struct Points {
  const double* x;
  Index dimension;
  Index count;
};

double sphere(const double* x, Index d) {
  double sum = 0;
  for (Index i = 0; i < d; ++i) sum += square(x[i]);
  return sum;
}

/// 1000^((i-1)/(d-1)) for all i. Kept for the usual dimensions, because d powers take longer than a small population.
const Vector& ellipsoid_scales(Index d, Vector& workspace) {
  constexpr Index kept = 40;
  const auto compute = [](Index n) {
    Vector scales(n);
    for (Index i = 0; i < n; ++i) {
      const double exponent = n == 1 ? 0 : static_cast<double>(i) / static_cast<double>(n - 1);
      scales[i] = elementary::pow(1000.0, exponent);
    }
    return scales;
  };
  static const std::vector<Vector> table = [&] {
    std::vector<Vector> scales(kept + 1);
    for (Index n = 1; n <= kept; ++n) scales[static_cast<std::size_t>(n)] = compute(n);
    return scales;
  }();
  if (d <= kept) return table[static_cast<std::size_t>(d)];
  workspace = compute(d);
  return workspace;
}

void ellipsoid(const Points& points, double* values) {
  Vector workspace;
  const Vector& scales = ellipsoid_scales(points.dimension, workspace);
  for (Index j = 0; j < points.count; ++j) {
    const double* x = points.x + j * points.dimension;
    for (Index i = 0; i < points.dimension; ++i) values[j] += square(scales[i] * x[i]);
  }
}

/// Adds sum_{begin <= i < end} term(x_i) to the value of each point. The terms of several points are computed
/// together, because the coordinates of one point seldom fill packs. They are added up one after the other, so that no
/// sum depends on the width of packs or on the other points.
template <class Term>
void add_terms(const Points& points, Index begin, Index end, const Term& term, double* values) {
  constexpr Index block = 256;
  std::array<double, block> terms;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  const auto compute = [&](const double* from, Index n) {
    for_all(n, [from, to = terms.data(), term](auto real, Index i)
                   SUREFOOT_KERNEL { store(to + i, term(load<typename decltype(real)::type>(from + i))); });
  };
  const auto plus_terms = [&](double sum, Index first, Index n) {
    for (Index i = first; i < first + n; ++i) sum += terms[static_cast<std::size_t>(i)];
    return sum;
  };
  const Index d = points.dimension;
  if (d > block) {
    for (Index j = 0; j < points.count; ++j) {
      double sum = 0;
      for (Index i = begin; i < end; i += block) {
        const Index n = std::min(block, end - i);
        compute(points.x + j * d + i, n);
        sum = plus_terms(sum, 0, n);
      }
      values[j] += sum;
    }
    return;
  }
  for (Index j = 0; j < points.count; j += block / d) {
    const Index n = std::min(block / d, points.count - j);
    compute(points.x + j * d, n * d);
    for (Index k = 0; k < n; ++k) values[j + k] += plus_terms(0, k * d + begin, end - begin);
  }
}

void rastrigin(const Points& points, double* values) {
  const auto term = [](const auto& u) SUREFOOT_KERNEL { return u * u + 10 * versine_of_turns(u); };
  add_terms(points, 0, points.dimension, term, values);
}

void bohachevsky(const Points& points, double* values) {
  const auto first = [](const auto& u) SUREFOOT_KERNEL { return u * u + 0.3 * versine_of_turns(1.5 * u); };
  const auto second = [](const auto& u) SUREFOOT_KERNEL { return 2 * u * u + 0.4 * versine_of_turns(2 * u); };
  add_terms(points, 0, points.dimension - 1, first, values);
  add_terms(points, 1, points.dimension, second, values);
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
    sum += elementary::pow(r, 0.25) * (square(elementary::sin(50 * elementary::pow(r, 0.1))) + 1);
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

double tablet(const double* x, Index d) {
  double sum = square(1000 * x[0]);
  for (Index i = 1; i < d; ++i) sum += square(x[i]);
  return sum;
}

double different_powers(const double* x, Index d) {
  double sum = 0;
  for (Index i = 0; i < d; ++i) {
    const double exponent = d == 1 ? 0 : static_cast<double>(i) / static_cast<double>(d - 1);
    sum += elementary::pow(std::abs(x[i]), 2 + 10 * exponent);
  }
  return sum;
}

double ackley(const double* x, Index d) {
  double squares = 0;
  double cosines = 0;
  for (Index i = 0; i < d; ++i) {
    squares += square(x[i]);
    cosines += 1 - elementary::cos(2 * pi * x[i]);
  }
  const auto n = static_cast<double>(d);
  // 20 - 20 exp(-a) + e - exp(1 - b), written so that it is exact at the optimum.
  return -20 * elementary::expm1(-0.2 * std::sqrt(squares / n)) - std::numbers::e * elementary::expm1(-cosines / n);
}

/// Adds the values of points, one or many, to zeros.
using PointsFunction = void (*)(const Points& points, double* values);

template <PointsFunction function>
double value_of(const double* x, Index d) {
  double value = 0;
  function({x, d, 1}, &value);
  return value;
}

template <PointsFunction function>
void values_of(const Matrix& population, Vector& values) {
  values.setZero(population.cols());
  function({population.data(), population.rows(), population.cols()}, values.data());
}

template <double (*value)(const double*, Index)>
void for_each(const Points& points, double* values) {
  for (Index j = 0; j < points.count; ++j) values[j] = value(points.x + j * points.dimension, points.dimension);
}

struct Numbers {
  Index min_dimension;
  double start;
  double sigma0;
  double optimum;
};

template <PointsFunction function>
Problem row(const char* name, const char* title, const char* formula, const char* citation, const Numbers& n) {
  return {name,    title,    formula,   citation,           n.min_dimension,
          n.start, n.sigma0, n.optimum, value_of<function>, values_of<function>};
}

}  // namespace

const std::vector<Problem>& problem_table() {
  static const std::vector<Problem> table = {
      row<for_each<sphere>>("sphere", "Sphere", "sum x_i^2", "NomuraOno2022", {1, 3, 2, 0}),
      row<ellipsoid>("ellipsoid", "Ellipsoid", "sum (1000^((i-1)/(d-1)) x_i)^2", "NomuraOno2022", {1, 3, 2, 0}),
      row<rastrigin>("rastrigin", "Rastrigin", "10 d + sum (x_i^2 - 10 cos(2 pi x_i))", "NomuraOno2022", {1, 3, 2, 0}),
      row<bohachevsky>("bohachevsky", "Bohachevsky",
                       "sum_{i<d} (x_i^2 + 2 x_{i+1}^2 - 0.3 cos(3 pi x_i) - 0.4 cos(4 pi x_{i+1}) + 0.7)",
                       "NomuraOno2022", {2, 8, 7, 0}),
      row<for_each<k_tablet>>("k-tablet", "k-Tablet", "sum_{i<=d/2} x_i^2 + sum_{i>d/2} (100 x_i)^2", "Ujihara2026",
                              {1, 3, 2, 0}),
      row<for_each<schaffer>>("schaffer", "Schaffer", "sum_{i<d} r^0.25 (sin^2(50 r^0.1) + 1), r = x_i^2 + x_{i+1}^2",
                              "HansenKern2004", {2, 55, 45, 0}),
      row<for_each<rosenbrock>>("rosenbrock", "Rosenbrock", "sum_{i<d} (100 (x_{i+1} - x_i^2)^2 + (x_i - 1)^2)",
                                "Rosenbrock1960", {2, 0, 0.5, 1}),
      row<for_each<cigar>>("cigar", "Cigar", "x_1^2 + sum_{i>1} (1000 x_i)^2", "HansenKern2004", {1, 3, 2, 0}),
      row<for_each<tablet>>("tablet", "Tablet", "(1000 x_1)^2 + sum_{i>1} x_i^2", "HansenKern2004", {1, 3, 2, 0}),
      row<for_each<different_powers>>("different-powers", "Different powers", "sum |x_i|^(2 + 10 (i-1)/(d-1))",
                                      "HansenKern2004", {1, 3, 2, 0}),
      row<for_each<ackley>>("ackley", "Ackley", "20 + e - 20 exp(-0.2 sqrt(sum x_i^2/d)) - exp(sum cos(2 pi x_i)/d)",
                            "Ackley1987", {1, 10, 10, 0}),
  };
  return table;
}

const Problem* look_up_problem(const std::string& name) {
  const auto& table = problem_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Problem& p) { return p.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> problem_names() {
  std::vector<std::string> names;
  for (const Problem& p : problem_table()) names.push_back(p.name);
  return names;
}

const Problem& find_problem(const std::string& name) {
  const Problem* problem = look_up_problem(name);
  if (problem == nullptr) reject("problem", "'" + name + "'", "known problems are " + listed(problem_names()));
  return *problem;
}

}  // namespace surefoot
