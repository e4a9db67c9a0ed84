// Time of a generation of the methods for very many variables, beside that of its normal numbers alone: what sampling
// cannot do without.
//
// Usage: surefoot_large_scale [DIMENSION ...]

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <vector>

#include "surefoot/surefoot.hpp"

namespace surefoot {
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The shortest of some repetitions, in seconds.
template <class Work>
double time_of(int repetitions, Work&& work) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const double begin = cpu_seconds();
    work();
    shortest = std::min(shortest, cpu_seconds() - begin);
  }
  return shortest;
}

/// Nanoseconds a coordinate and candidate of ask and tell, without the objective.
double generation(const std::string& method, Index d, Index popsize, int repetitions, int generations) {
  const auto strategy =
      make_strategy(method, {.start = {Vector::Constant(d, 3), Vector::Constant(d, 2)}, .popsize = popsize});
  CounterNormals normals(1);
  Vector values(popsize);
  std::uint64_t t = 0;
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    double seconds = 0;
    for (int k = 0; k < generations; ++k, ++t) {
      const Matrix* population = nullptr;
      seconds += time_of(1, [&] { population = &strategy->ask(t, normals); });
      values = population->colwise().squaredNorm().transpose();
      seconds += time_of(1, [&] { strategy->tell({*population, values}); });
    }
    shortest = std::min(shortest, seconds);
  }
  return 1e9 * shortest / static_cast<double>(d * popsize * generations);
}

double normals_alone(Index d, Index popsize, int repetitions, int generations) {
  Matrix z(d, popsize);
  CounterNormals normals(1);
  std::uint64_t t = 0;
  const double seconds = time_of(repetitions, [&] {
    for (int k = 0; k < generations; ++k) normals.fill(t++, z);
  });
  return 1e9 * seconds / static_cast<double>(d * popsize * generations);
}

void measure(Index d) {
  const Index popsize = default_popsize(d) + default_popsize(d) % 2;
  const int generations = std::max(1, static_cast<int>(2000000 / (d * popsize)));
  const int repetitions = 7;
  const double alone = normals_alone(d, popsize, repetitions, generations);
  fmt::print("| {} | {} | normals alone | {:.2f} | 1 |\n", d, popsize, alone);
  for (const MethodInfo& method : method_table()) {
    if (method.scale != Scale::linear) continue;
    const double time = generation(method.name, d, popsize, repetitions, generations);
    fmt::print("| {} | {} | {} | {:.2f} | {:.2f} |\n", d, popsize, method.name, time, time / alone);
  }
}

}  // namespace
}  // namespace surefoot

int main(int argc, char** argv) {
  fmt::print("| d | popsize | method | ns a coordinate and candidate | times the normals |\n|---|---|---|---|---|\n");
  std::vector<long> dimensions = {1000, 10000, 100000};
  if (argc > 1) dimensions.clear();
  for (int i = 1; i < argc; ++i) dimensions.push_back(std::strtol(argv[i], nullptr, 10));
  for (const long d : dimensions) surefoot::measure(d);
  return 0;
}
