#include "experiments/arena_problem.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <utility>

#include "core/edit_distance.hpp"
#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "experiments/experiment.hpp"
#include "problems/bbob/streams.hpp"
#include "surefoot/normal_source.hpp"

namespace surefoot {
namespace {

/// A distribution of noise on values.
using Noise = double (*)(double value, double normal);

double additive(double value, double normal) { return value + normal; }
double multiplicative(double value, double normal) { return value * elementary::exp(normal); }
double nothing_but_noise(double /*value*/, double normal) { return normal; }

ProblemInstance with_noise(ProblemInstance problem, Noise noise, std::uint64_t seed) {
  struct Source {
    CounterNormals normals;
    std::uint64_t calls = 0;
    Matrix z;
  };
  // The noise has a seed of its own. With the seed that the search draws from, it would carry information about the
  // candidates.
  const auto source = std::make_shared<Source>(Source{CounterNormals(seed_of(seed, "noise")), 0, {}});
  problem.values = [exact = problem.values, noise, source](const Matrix& population, Vector& values) {
    exact(population, values);
    source->z.resize(1, values.size());
    source->normals.fill(source->calls++, source->z);
    for (Index i = 0; i < values.size(); ++i) values[i] = noise(values[i], source->z(0, i));
  };
  problem.value = nullptr;
  return problem;
}

ProblemInstance rotated(ProblemInstance problem, std::uint64_t seed) {
  const Index d = problem.start.size();
  constexpr std::uint64_t seeds = 1000000000;  // The generator behind rotations takes seeds of 31 bits.
  const Matrix R = bbob::rotation(d, static_cast<bbob::Seed>(1 + seed % seeds));
  problem.start = R.transpose() * problem.start;
  problem.optimum = R.transpose() * problem.optimum;
  problem.values = [exact = problem.values, R](const Matrix& population, Vector& values) {
    exact(product(R, population), values);
  };
  problem.value = nullptr;
  return problem;
}

}  // namespace

std::string name(ArenaKind kind) {
  switch (kind) {
    case ArenaKind::unimodal: return "unimodal";
    case ArenaKind::multimodal: return "multimodal";
    case ArenaKind::noisy: return "noisy";
    case ArenaKind::random: return "random";
  }
  return {};
}

const std::vector<ArenaFunction>& arena_table() {
  static const std::vector<ArenaFunction> table = [] {
    const std::vector<std::string> unimodal = {"sphere",   "ellipsoid",  "cigar",           "tablet",
                                               "k-tablet", "rosenbrock", "different-powers"};
    std::vector<ArenaFunction> rows;
    rows.reserve(2 * unimodal.size() + 7);
    for (const std::string& f : unimodal) rows.push_back({f, ArenaKind::unimodal, f});
    for (const std::string& f : unimodal) rows.push_back({"rotated-" + f, ArenaKind::unimodal, f, true});
    for (const char* f : {"rastrigin", "bohachevsky", "ackley", "schaffer"}) {
      rows.push_back({f, ArenaKind::multimodal, f});
    }
    rows.push_back({"noisy-sphere", ArenaKind::noisy, "sphere"});
    rows.push_back({"multiplicative-noise", ArenaKind::noisy, "sphere"});
    rows.push_back({"random", ArenaKind::random, "sphere"});
    return rows;
  }();
  return table;
}

const ArenaFunction& find_arena_function(const std::string& name) {
  const auto& table = arena_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const ArenaFunction& f) { return f.name == name; });
  if (found != table.end()) return *found;
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const ArenaFunction& f : table) names.push_back(f.name);
  reject("functions", "'" + name + "'", "the arena has " + listed(names) + suggestion(name, names));
}

std::int64_t arena_budget(const ArenaFunction& function, Index dimension) {
  switch (function.kind) {
    case ArenaKind::unimodal: return 10000 * dimension;
    case ArenaKind::multimodal: return 20000 * dimension;
    case ArenaKind::noisy: return 5000 * dimension;
    case ArenaKind::random: return 100000;
  }
  return 0;
}

ProblemInstance make_arena_problem(const ArenaFunction& function, Index dimension, std::uint64_t seed) {
  ProblemInstance problem = make_problem(function.problem, dimension);
  if (function.rotated) return rotated(std::move(problem), seed);
  if (function.name == "noisy-sphere") return with_noise(std::move(problem), additive, seed);
  if (function.name == "multiplicative-noise") return with_noise(std::move(problem), multiplicative, seed);
  if (function.kind == ArenaKind::random) return with_noise(std::move(problem), nothing_but_noise, seed);
  return problem;
}

}  // namespace surefoot
