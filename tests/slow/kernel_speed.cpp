// Times the kernels that it is linked with: one line for each, a name and microseconds of the processor, the least of
// several rounds. tests/slow/build_types.py compares two such programs.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>

#include "core/linear_algebra/products.hpp"
#include "surefoot/normal_source.hpp"

namespace surefoot {
namespace {

/// Of this thread, so that other work of the machine counts less.
double microseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

template <class Kernel>
void report(const char* name, Index d, Index popsize, const Kernel& kernel) {
  constexpr int rounds = 20;
  constexpr double round = 2000;  // microseconds, at least
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < rounds; ++i) {
    int calls = 0;
    double time = 0;
    for (const double begin = microseconds(); time < round; time = microseconds() - begin, calls += 10) {
      for (int k = 0; k < 10; ++k) kernel();
    }
    least = std::min(least, time / calls);
  }
  std::printf("%s(%d,%d) %.6g\n", name, static_cast<int>(d), static_cast<int>(popsize), least);
}

Matrix random(Index rows, Index columns) {
  Matrix A(rows, columns);
  CounterNormals(1).fill(0, A);
  return A;
}

void time_kernels(Index d, Index popsize) {
  const Matrix B = random(d, d);
  const Vector w = Vector::Constant(popsize, 0.5);
  Matrix z = random(d, popsize);
  Matrix y(d, popsize);
  Matrix C = B;
  CounterNormals normals(1);
  std::uint64_t generation = 0;
  report("multiply", d, popsize, [&] { multiply(B, z, y); });
  report("accumulate_weighted", d, popsize, [&] { accumulate_weighted(0.5, z, w, C); });
  report("normals", d, popsize, [&] { normals.fill(generation++, y); });
}

}  // namespace
}  // namespace surefoot

int main() {
  surefoot::time_kernels(10, 10);
  surefoot::time_kernels(40, 15);
  surefoot::time_kernels(100, 17);
  surefoot::time_kernels(300, 20);
}
