// After the first generation ask and tell allocate nothing, and all of a search stays within its matrices.

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "core/cma_constants.hpp"
#include "surefoot/surefoot.hpp"

// The C library's allocator, with a count. Everything ends up here: operator new, Eigen, the standard library.
extern "C" {
void* __libc_malloc(std::size_t size);  // NOLINT(bugprone-reserved-identifier)
void __libc_free(void* memory);         // NOLINT(bugprone-reserved-identifier)
}

namespace {

std::atomic<long> allocations{0};
std::atomic<long> live_bytes{0};
std::atomic<long> peak_bytes{0};

void note(void* memory) {
  if (memory == nullptr) return;
  ++allocations;
  const long live = live_bytes += static_cast<long>(malloc_usable_size(memory));
  long peak = peak_bytes;
  while (live > peak && !peak_bytes.compare_exchange_weak(peak, live)) {
  }
}

}  // namespace

extern "C" void* malloc(std::size_t size) {
  void* const memory = __libc_malloc(size);
  note(memory);
  return memory;
}

extern "C" void free(void* memory) {
  if (memory != nullptr) live_bytes -= static_cast<long>(malloc_usable_size(memory));
  __libc_free(memory);
}

namespace surefoot {
namespace {

struct Case {
  Index d, popsize;
  const char* rate;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << "d = " << c.d << ", popsize " << c.popsize << ", " << c.rate;
}

class Allocation : public testing::TestWithParam<Case> {};

// Both routes, both frames, small and large; the last ones reach the O(d^3) test of degeneracy too.
INSTANTIATE_TEST_SUITE_P(, Allocation,
                         testing::Values(Case{10, 10, "fixed"}, Case{10, 10, "lra"}, Case{10, 10, "lra:frame=B"},
                                         Case{10, 300, "lra"}, Case{40, 15, "fixed"}, Case{40, 15, "lra"},
                                         Case{40, 15, "lra:frame=B"}, Case{150, 18, "fixed"}, Case{150, 18, "lra"},
                                         Case{150, 18, "lra:frame=B"}, Case{140, 200, "lra:frame=B"},
                                         Case{10, 10, "s3-lra"}, Case{10, 10, "geodesic"}, Case{40, 15, "geodesic"},
                                         Case{40, 15, "s3-lra:frame=B"}, Case{10, 10, "auto"}, Case{40, 15, "auto"},
                                         Case{150, 18, "auto"}),
                         [](const auto& test) {
                           std::string name = std::to_string(test.param.d) + "_" + std::to_string(test.param.popsize) +
                                              "_" + test.param.rate;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           return name;
                         });

TEST_P(Allocation, HappensInTheFirstGenerationOnly) {
  const auto [d, popsize, rate] = GetParam();
  // Tolerances that are tested but never met: the end of a search may allocate.
  Optimizer search(Vector::Constant(d, 3), 2,
                   {.learning_rate = rate,
                    .maxiter = 1000,
                    .popsize = popsize,
                    .seed = 1,
                    .tolfun = 1e-300,
                    .tolfunhist = 1e-300,
                    .tolx = 1e-300});
  Vector values(popsize);
  const auto generation = [&] {
    const Matrix& population = search.ask();
    for (Index i = 0; i < popsize; ++i) values[i] = population.col(i).squaredNorm();
    search.tell(values);
  };
  generation();
  const long before = allocations;
  Eigen::internal::set_is_malloc_allowed(false);
  const Index generations = 4 * (10 + d);  // up to the test of degeneracy
  std::string error;
  try {
    for (Index t = 1; t <= generations; ++t) generation();
  } catch (const std::logic_error& e) {
    error = e.what();
  }
  Eigen::internal::set_is_malloc_allowed(true);
  EXPECT_EQ(error, "");
  EXPECT_EQ(allocations - before, 0);
}

// Eigen's decomposition takes workspace of its own.
TEST(AllocationOfCma, HappensInDecompositionsOnly) {
  const Index d = 150;
  const Index popsize = 18;
  const Index every = cma_constants(d, popsize).decompose_every;
  ASSERT_GT(every, 1);
  Optimizer search(Vector::Constant(d, 3), 2, {.maxiter = 1000, .method = "cma", .popsize = popsize, .seed = 1});
  Vector values(popsize);
  for (Index t = 1; t <= 20; ++t) {
    const long before = allocations;
    const Matrix& population = search.ask();
    for (Index i = 0; i < popsize; ++i) values[i] = population.col(i).squaredNorm();
    search.tell(values);
    if (t == 1 || t % every == 0) continue;
    EXPECT_EQ(allocations - before, 0) << "generation " << t;
  }
}

TEST(AllocationTest, CanFail) {
  const long before = allocations;
  const Matrix A = Matrix::Zero(100, 100);
  EXPECT_GT(allocations - before, 0) << A(0, 0);
  Eigen::internal::set_is_malloc_allowed(false);
  EXPECT_THROW(Matrix(100, 100).setZero(), std::logic_error);
  Eigen::internal::set_is_malloc_allowed(true);
}

/// Of a search at d = 600, in units of a d x d matrix. What is O(d popsize) is 0.2 of them.
double peak_in_matrices(Options options) {
  options.maxiter = 3;
  options.seed = 1;
  const Index d = 600;
  const long before = live_bytes;
  peak_bytes = before;
  minimize([](const Vector& x) { return x.squaredNorm(); }, Vector::Constant(d, 3), 2, options);
  return static_cast<double>(peak_bytes - before) / static_cast<double>(d * d) / sizeof(double);
}

TEST(Memory, OfPlainXnesIsAtMostThreeMatrices) { EXPECT_LE(peak_in_matrices({.learning_rate = "fixed"}), 3.0); }

TEST(Memory, OfAnAdaptivePolicyIsAtMostFourMatrices) {
  for (const char* rate : {"lra:frame=B", "s3-lra:frame=B", "geodesic"})
    EXPECT_LE(peak_in_matrices({.learning_rate = rate}), 4.0) << rate;
}

TEST(Memory, OfTheInformationGateIsAtMostFourMatrices) { EXPECT_LE(peak_in_matrices({.method = "ig-xnes"}), 4.0); }

TEST(Memory, OfCmaIsAtMostSixMatrices) { EXPECT_LE(peak_in_matrices({.method = "cma"}), 6.0); }

}  // namespace
}  // namespace surefoot
