// The BBOB functions beside a plain loop over their formulas, with rows of a matrix as vectors. Times are comparable
// within one run only; the values are compared first.

#include "surefoot/bbob.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "problems/bbob/streams.hpp"
#include "surefoot/normal_source.hpp"

namespace surefoot {
namespace {

using Rows = std::vector<std::vector<double>>;
using Point = std::vector<double>;

constexpr int popsize = 100;

Rows rows_of(const Matrix& A) {
  Rows rows(static_cast<std::size_t>(A.rows()), Point(static_cast<std::size_t>(A.cols())));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) rows[i][j] = A(static_cast<Index>(i), static_cast<Index>(j));
  }
  return rows;
}

Point times(const Rows& A, const Point& x) {
  Point y(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += A[i][j] * x[j];
  }
  return y;
}

double oscillate(double x) {
  if (x == 0) return 0;
  const double h = std::log(std::abs(x)) / 0.1;
  const double c1 = x > 0 ? 1 : 0.55;
  const double c2 = x > 0 ? 0.79 : 0.31;
  return std::copysign(std::pow(std::exp(h + 0.49 * (std::sin(c1 * h) + std::sin(c2 * h))), 0.1), x);
}

/// What the loops need of an instance.
struct Plain {
  Point xopt;
  double fopt;
  Rows R;

  explicit Plain(const BbobProblem& problem)
      : xopt(problem.optimum().begin(), problem.optimum().end()),
        fopt(problem.optimal_value()),
        R(rows_of(bbob::rotation(problem.dimension(), problem.function().number + 10000 + 1000000))) {}

  [[nodiscard]] Point shifted(const Point& x) const {
    Point d(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) d[i] = x[i] - xopt[i];
    return d;
  }
};

double sphere(const Plain& p, const Point& x) {
  double sum = 0;
  for (const double d : p.shifted(x)) sum += d * d;
  return sum + p.fopt;
}

double sum_of_oscillated(const Point& d) {
  double sum = 0;
  for (std::size_t i = 0; i < d.size(); ++i) {
    const double z = oscillate(d[i]);
    sum += std::pow(1e6, static_cast<double>(i) / static_cast<double>(d.size() - 1)) * z * z;
  }
  return sum;
}

double ellipsoid(const Plain& p, const Point& x) { return sum_of_oscillated(p.shifted(x)) + p.fopt; }

double rotated_ellipsoid(const Plain& p, const Point& x) {
  return sum_of_oscillated(times(p.R, p.shifted(x))) + p.fopt;
}

double different_powers(const Plain& p, const Point& x) {
  const Point z = times(p.R, p.shifted(x));
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += std::pow(std::abs(z[i]), 2 + 4.0 * static_cast<double>(i) / static_cast<double>(x.size() - 1));
  }
  return std::sqrt(sum) + p.fopt;
}

Matrix points(Index d) {
  Matrix x(d, popsize);
  CounterNormals(1).fill(0, x);
  return 2 * x;
}

void ours(benchmark::State& state, int function) {
  const BbobProblem problem(function, state.range(0));
  const Matrix x = points(state.range(0));
  Vector f(popsize);
  for (auto _ : state) {
    problem.evaluate(x, f);
    benchmark::DoNotOptimize(f.data());
  }
  state.SetItemsProcessed(state.iterations() * popsize);
}

void plain_loop(benchmark::State& state, int function, double (*value)(const Plain&, const Point&)) {
  const BbobProblem problem(function, state.range(0));
  const Plain plain(problem);
  const Matrix x = points(state.range(0));
  std::vector<Point> population;
  for (Index i = 0; i < popsize; ++i) population.emplace_back(x.col(i).begin(), x.col(i).end());
  for (const Point& point : population) {
    if (std::abs(value(plain, point) - problem(point)) > 1e-9 * std::abs(problem(point))) {
      state.SkipWithError("the plain loop computes another function");
      return;
    }
  }
  for (auto _ : state) {
    for (const Point& point : population) benchmark::DoNotOptimize(value(plain, point));
  }
  state.SetItemsProcessed(state.iterations() * popsize);
}

void dimensions(benchmark::internal::Benchmark* b) {
  for (const int d : {2, 10, 40}) b->Arg(d);
  b->ArgName("d")->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(ours, f1_sphere, 1)->Apply(dimensions);
BENCHMARK_CAPTURE(plain_loop, f1_sphere, 1, sphere)->Apply(dimensions);
BENCHMARK_CAPTURE(ours, f2_ellipsoid, 2)->Apply(dimensions);
BENCHMARK_CAPTURE(plain_loop, f2_ellipsoid, 2, ellipsoid)->Apply(dimensions);
BENCHMARK_CAPTURE(ours, f10_rotated_ellipsoid, 10)->Apply(dimensions);
BENCHMARK_CAPTURE(plain_loop, f10_rotated_ellipsoid, 10, rotated_ellipsoid)->Apply(dimensions);
BENCHMARK_CAPTURE(ours, f14_different_powers, 14)->Apply(dimensions);
BENCHMARK_CAPTURE(plain_loop, f14_different_powers, 14, different_powers)->Apply(dimensions);
BENCHMARK_CAPTURE(ours, f16_weierstrass, 16)->Apply(dimensions);
BENCHMARK_CAPTURE(ours, f21_gallagher, 21)->Apply(dimensions);
BENCHMARK_CAPTURE(ours, f23_katsuura, 23)->Apply(dimensions);

}  // namespace
}  // namespace surefoot
