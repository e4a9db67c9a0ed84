// What the quadratic model costs: a fit, the values of a population, the minimum in a ball, a change of the frame.
// The numbers are those of docs/evidence/model.md.

#include <benchmark/benchmark.h>

#include "driver/model/ball_minimum.hpp"
#include "driver/model/quadratic_model.hpp"
#include "surefoot/method.hpp"
#include "surefoot/strategy.hpp"

namespace {

using namespace surefoot;

/// An archive that is full, of a function that no model fits exactly.
Archive full_archive(Index d, ModelType largest) {
  const Index n = 2 * number_of_terms(largest, d);
  Archive archive(d, n);
  Matrix x(d, n);
  CounterNormals(1).fill(0, x);
  for (Index k = 0; k < n; ++k) archive.add(x.col(k), x.col(k).array().pow(4).sum());
  return archive;
}

/// What `Terms` keep of so many points: all of them or, from ten dimensions on, moments and the products of 32 points.
double numbers_of_terms(Index dimension, ModelType type, double points) {
  const auto terms = static_cast<double>(number_of_terms(type, dimension));
  if (type != ModelType::full || dimension < 10) return terms * points;
  const auto d = static_cast<double>(dimension);
  return (d + 1) * (d + 2) * (d + 3) * (d + 4) / 24 + 2 * 32 * terms;
}

void fit(benchmark::State& state) {
  const Index d = state.range(0);
  const auto type = static_cast<ModelType>(state.range(1));
  const Archive archive = full_archive(d, type);
  QuadraticModel model(d, type);
  const Frame frame(d);
  model.fit(archive, frame);
  if (model.type() != type) state.SkipWithError("another type was fitted");
  for (auto _ : state) model.fit(archive, frame);
  const auto dimension = static_cast<double>(d);
  const auto terms = static_cast<double>(number_of_terms(type, d));
  const double used = 0.75 * (2 * terms + 1);
  state.counters["terms"] = terms;
  state.counters["kB"] = 8 * (numbers_of_terms(d, type, used) + terms * terms + 2 * used * dimension) / 1024;
}
BENCHMARK(fit)
    ->ArgsProduct({{2, 3, 5, 10, 15, 20, 30, 40}, {3}})
    ->ArgsProduct({{2, 10, 20, 40, 80}, {2}})
    ->Unit(benchmark::kMicrosecond);

void values(benchmark::State& state) {
  const Index d = state.range(0);
  QuadraticModel model(d);
  model.fit(full_archive(d, ModelType::full), Frame(d));
  Matrix x(d, default_popsize(d));
  CounterNormals(2).fill(0, x);
  Vector result;
  for (auto _ : state) model.values(x, result);
}
BENCHMARK(values)->Arg(2)->Arg(5)->Arg(10)->Arg(20)->Arg(40)->Unit(benchmark::kMicrosecond);

void minimum(benchmark::State& state) {
  const Index d = state.range(0);
  QuadraticModel model(d);
  model.fit(full_archive(d, ModelType::full), Frame(d));
  Frame other(d);
  other.set_axis_parallel(Vector::Ones(d), Vector::Constant(d, 0.1));
  Quadratic q(d);
  BallMinimum minimum(d);
  for (auto _ : state) {
    model.in_frame(other, q);
    minimum.find(q, 1);
  }
}
BENCHMARK(minimum)->Arg(2)->Arg(5)->Arg(10)->Arg(20)->Arg(40)->Unit(benchmark::kMicrosecond);

}  // namespace
