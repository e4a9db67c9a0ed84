// What a generation is made of. Run with --benchmark_filter=... to see one part; compare within one run only.

#include <benchmark/benchmark.h>

#include "core/linear_algebra/inverse.hpp"
#include "core/linear_algebra/polar_factor.hpp"
#include "core/linear_algebra/products.hpp"
#include "core/methods/xnes/shape_update.hpp"
#include "core/ranking/rank_weights.hpp"
#include "core/ranking/ranking.hpp"
#include "surefoot/surefoot.hpp"

namespace surefoot {
namespace {

Matrix random_matrix(Index rows, Index columns) {
  Matrix A(rows, columns);
  CounterNormals(1).fill(0, A);
  return A;
}

void sizes(benchmark::internal::Benchmark* b) {
  for (const auto& [d, popsize] :
       {std::pair{10, 10}, {10, 300}, {40, 15}, {100, 17}, {100, 100}, {300, 20}, {1000, 24}}) {
    b->Args({d, popsize});
  }
  b->ArgNames({"d", "popsize"})->Unit(benchmark::kMicrosecond);
}

void dimensions(benchmark::internal::Benchmark* b) {
  for (const int d : {10, 40, 100, 300}) b->Arg(d);
  b->ArgName("d")->Unit(benchmark::kMicrosecond);
}

void normals(benchmark::State& state) {
  Matrix z(state.range(0), state.range(1));
  CounterNormals source(1);
  std::uint64_t generation = 0;
  for (auto _ : state) {
    source.fill(generation++, z);
    benchmark::DoNotOptimize(z.data());
  }
  state.SetItemsProcessed(state.iterations() * z.size());
}
BENCHMARK(normals)->Apply(sizes);

void sample(benchmark::State& state) {
  const Matrix B = random_matrix(state.range(0), state.range(0));
  const Matrix z = random_matrix(state.range(0), state.range(1));
  Matrix y(z.rows(), z.cols());
  for (auto _ : state) {
    multiply(B, z, y);
    benchmark::DoNotOptimize(y.data());
  }
}
BENCHMARK(sample)->Apply(sizes);

void sample_by_eigen(benchmark::State& state) {
  const Matrix B = random_matrix(state.range(0), state.range(0));
  const Matrix z = random_matrix(state.range(0), state.range(1));
  Matrix y(z.rows(), z.cols());
  for (auto _ : state) {
    y.noalias() = B * z;
    benchmark::DoNotOptimize(y.data());
  }
}
BENCHMARK(sample_by_eigen)->Apply(sizes);

void rank(benchmark::State& state) {
  const Vector values = random_matrix(state.range(1), 1).col(0);
  Ranking ranking(values.size());
  for (auto _ : state) benchmark::DoNotOptimize(ranking.sort(values));
}
BENCHMARK(rank)->Apply(sizes);

void update(benchmark::State& state, ShapeRoute route) {
  const Index d = state.range(0);
  const Index popsize = state.range(1);
  if (route == ShapeRoute::dense && d >= 1000) return state.SkipWithError("seconds");
  if (route == ShapeRoute::low_rank && popsize >= 300) return state.SkipWithError("far beyond d");
  const Matrix z = random_matrix(d, popsize);
  const Vector w = rank_weights(popsize).w;
  Matrix B = Matrix::Identity(d, d);
  const auto step = make_shape_update(route, d, popsize);
  const double eta = default_learning_rates(d).B * 1e-6;  // B stays what it is
  for (auto _ : state) {
    step->measure(z, w);
    step->exponentiate(eta);
    step->apply(z, B);
  }
}
BENCHMARK_CAPTURE(update, dense, ShapeRoute::dense)->Apply(sizes);
BENCHMARK_CAPTURE(update, low_rank, ShapeRoute::low_rank)->Apply(sizes);

void polar_factor(benchmark::State& state) {
  const Matrix B = random_matrix(state.range(0), state.range(0));
  PolarFactor polar(B.rows());
  for (auto _ : state) benchmark::DoNotOptimize(polar(B).data());
}
BENCHMARK(polar_factor)->Apply(dimensions);

void inverse(benchmark::State& state) {
  const Matrix B = random_matrix(state.range(0), state.range(0));
  Inverse inverse(B.rows());
  Matrix result(B.rows(), B.cols());
  for (auto _ : state) {
    inverse.transposed(B, result);
    benchmark::DoNotOptimize(result.data());
  }
}
BENCHMARK(inverse)->Apply(dimensions);

}  // namespace
}  // namespace surefoot
