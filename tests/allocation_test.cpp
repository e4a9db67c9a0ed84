// After the first generation ask and tell allocate nothing, and all of a search stays within its matrices.

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "core/methods/cma/cma_constants.hpp"
#include "surefoot/surefoot.hpp"

// The C library's allocator, with a count. Everything ends up here: operator new, Eigen, the standard library. A
// compiler makes one calloc of a malloc and the zeros that follow it, so every function that allocates has to count.
extern "C" {
void* __libc_malloc(std::size_t size);                           // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void* memory, std::size_t size);            // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT(bugprone-reserved-identifier)
void __libc_free(void* memory);                                  // NOLINT(bugprone-reserved-identifier)
}

namespace {

std::atomic<long> allocations{0};
std::atomic<long> live_bytes{0};
std::atomic<long> peak_bytes{0};

void* count(void* memory) {
  if (memory == nullptr) return memory;
  ++allocations;
  const long live = live_bytes += static_cast<long>(malloc_usable_size(memory));
  long peak = peak_bytes;
  while (live > peak && !peak_bytes.compare_exchange_weak(peak, live)) {
  }
  return memory;
}

void forget(void* memory) {
  if (memory != nullptr) live_bytes -= static_cast<long>(malloc_usable_size(memory));
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) { return count(__libc_malloc(size)); }
void* calloc(std::size_t number, std::size_t size) { return count(__libc_calloc(number, size)); }
void* memalign(std::size_t alignment, std::size_t size) { return count(__libc_memalign(alignment, size)); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return count(__libc_memalign(alignment, size)); }

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = count(__libc_memalign(alignment, size));
  return *memory == nullptr ? ENOMEM : 0;
}

void* realloc(void* memory, std::size_t size) {
  forget(memory);
  return count(__libc_realloc(memory, size));
}

void free(void* memory) {
  forget(memory);
  __libc_free(memory);
}
}

namespace surefoot {
namespace {

struct Case {
  Index d, popsize;
  const char* rate;  // a learning rate, or a method
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << "d = " << c.d << ", popsize " << c.popsize << ", " << c.rate;
}

class Allocation : public testing::TestWithParam<Case> {};

// Both routes, both frames, small and large: beyond d = 128 inverses are computed in blocks.
INSTANTIATE_TEST_SUITE_P(, Allocation,
                         testing::Values(Case{10, 10, "fixed"}, Case{10, 10, "lra"}, Case{10, 10, "lra:frame=B"},
                                         Case{10, 300, "lra"}, Case{40, 15, "fixed"}, Case{40, 15, "lra"},
                                         Case{40, 15, "lra:frame=B"}, Case{130, 18, "fixed"}, Case{130, 18, "lra"},
                                         Case{130, 18, "lra:frame=B"}, Case{130, 200, "lra:frame=B"},
                                         Case{10, 10, "s3-lra"}, Case{10, 10, "geodesic"}, Case{40, 15, "geodesic"},
                                         Case{40, 15, "s3-lra:frame=B"}, Case{10, 10, "auto"}, Case{40, 15, "auto"},
                                         Case{130, 18, "auto"}, Case{40, 15, "snes"}, Case{600, 10, "sep-cma"}),
                         [](const auto& test) {
                           std::string name = std::to_string(test.param.d) + "_" + std::to_string(test.param.popsize) +
                                              "_" + test.param.rate;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           return name;
                         });

TEST_P(Allocation, HappensInTheFirstGenerationOnly) {
  const auto [d, popsize, rate] = GetParam();
  const bool is_method = std::string(rate) == "snes" || std::string(rate) == "sep-cma";
  // Tolerances that are tested but never met: the end of a search may allocate.
  Optimizer search(Vector::Constant(d, 3), 2,
                   {.evaluate_x0 = false,
                    .learning_rate = is_method ? "auto" : rate,
                    .maxiter = 3000,
                    .method = is_method ? rate : "auto",
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
  const Index generations = 4 * (10 + d);  // up to the test of degeneracy
  for (Index t = 1; t <= generations; ++t) generation();
  EXPECT_EQ(allocations - before, 0);
  EXPECT_FALSE(search.stop());
}

// Eigen's decomposition takes workspace of its own.
TEST(AllocationOfCma, HappensInDecompositionsOnly) {
  const Index d = 150;
  const Index popsize = 18;
  const Index every = cma_constants(d, popsize).decompose_every;
  ASSERT_GT(every, 1);
  Optimizer search(Vector::Constant(d, 3), 2,
                   {.evaluate_x0 = false, .maxiter = 1000, .method = "cma", .popsize = popsize, .seed = 1});
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

template <class F>
long allocations_of(F&& f) {
  const long before = allocations;
  f();
  return allocations - before;
}

// Kept where the compiler cannot know, or it would leave the allocation out.
Matrix kept;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::vector<double> kept_numbers;

TEST(AllocationTest, SeesEveryWayToAllocate) {
  EXPECT_EQ(allocations_of([] { kept = Matrix(3, 3); }), 1);
  EXPECT_EQ(allocations_of([] { kept = Matrix::Zero(100, 100); }), 1);
  EXPECT_EQ(allocations_of([] { kept = kept * kept; }), 1) << "a product that may alias goes through a temporary";
  EXPECT_EQ(allocations_of([] { kept_numbers.assign(10, 1.0); }), 1);
  for (void* (*allocate)() :
       {+[] { return std::calloc(10, 8); }, +[] { return std::realloc(nullptr, 80); },
        +[] { return std::aligned_alloc(64, 128); }, +[] { return ::operator new (80, std::align_val_t{64}); }}) {
    void* memory = nullptr;
    EXPECT_EQ(allocations_of([&] { memory = allocate(); }), 1);
    std::free(memory);
  }
}

constexpr Index large = 600;

double in_matrices(long bytes) {
  return static_cast<double>(bytes) / static_cast<double>(large * large) / sizeof(double);
}

/// Of a search with many variables, in units of a d x d matrix. What is O(d popsize) is 0.2 of them, 0.4 where the
/// strategy keeps more columns.
double peak_in_matrices(Options options) {
  options.maxiter = 3;
  options.seed = 1;
  const long before = live_bytes;
  peak_bytes = before;
  minimize([](const Vector& x) { return x.squaredNorm(); }, Vector::Constant(large, 3), 2, options);
  EXPECT_LT(in_matrices(live_bytes - before), 0.01) << "what was counted as freed was not counted before";
  return in_matrices(peak_bytes - before);
}

/// Without the long history of the test for stagnation, which is not quadratic in d.
double matrices_of(Options options) {
  options.tolstagnation = 0;
  return peak_in_matrices(options);
}

// docs/evidence/performance.md tells users these numbers. A limit leaves no room for one more.
TEST(Memory, OfPlainXnesIsTwoMatrices) {
  EXPECT_LE(matrices_of({.learning_rate = "fixed"}), 2.5);
  EXPECT_LE(matrices_of({.learning_rate = "fixed", .method = "xnes"}), 2.5);
}

TEST(Memory, OfAnAdaptivePolicyIsThreeMatrices) {
  for (const char* rate : {"lra:frame=B", "s3-lra:frame=B", "geodesic"})
    EXPECT_LE(matrices_of({.learning_rate = rate}), 3.5) << rate;
}

TEST(Memory, OfTheInformationGateIsThreeMatrices) {
  EXPECT_LE(matrices_of({.method = "auto"}), 3.5);
  EXPECT_LE(matrices_of({.method = "ig-xnes"}), 3.5);
}

TEST(Memory, OfCmaIsFourMatrices) { EXPECT_LE(matrices_of({.method = "cma"}), 4.5); }

/// Peak of live bytes over those before, by coordinate.
template <class F>
double peak_bytes_a_coordinate(Index d, F&& f) {
  const long before = live_bytes;
  peak_bytes = before;
  f();
  return static_cast<double>(peak_bytes - before) / static_cast<double>(d);
}

TEST(Memory, OfSeparableMethodsIsThePopulationAndAFewVectors) {
  constexpr Index d = 100000;
  constexpr Index popsize = 10;
  for (const auto& [method, vectors] : {std::pair("snes", 6), std::pair("sep-cma", 10)}) {
    const double bytes = peak_bytes_a_coordinate(d, [&, name = method] {
      const auto strategy = make_strategy(name, {.start = {Vector::Zero(d), Vector::Ones(d)}, .popsize = popsize});
      CounterNormals normals(1);
      for (std::uint64_t t = 0; t < 3; ++t) {
        const Matrix& population = strategy->ask(t, normals);
        const Vector values = population.colwise().squaredNorm().transpose();
        strategy->tell({population, values});
      }
    });
    EXPECT_LE(bytes, 8.0 * (popsize + vectors)) << method;  // the start and its copy are four of them
  }
}

/// Nothing of a search is quadratic in d if its method is not, and vectors are few. The search's own are the start as
/// the caller and the domain have it, best point, mean and two of the result, one of the criteria:
/// docs/evidence/large-scale.md.
TEST(Memory, OfASearchWithLinearMethodsIsLinear) {
  constexpr Index d = 100000;
  constexpr Index popsize = 10;
  constexpr int around = 9;
  for (const auto& [method, vectors] : {std::pair("snes", 2), std::pair("sep-cma", 6), std::pair("cr-fm-nes", 9)}) {
    const double bytes = peak_bytes_a_coordinate(d, [name = method] {
      minimize([](const Vector& x) { return x.squaredNorm(); }, Vector::Constant(d, 3), 2,
               {.maxiter = 3, .method = name, .popsize = popsize, .seed = 1});
    });
    EXPECT_LE(bytes, 8.0 * (popsize + vectors + around) + 4) << method;
  }
}

/// The directions of lm-ma-es are the larger part; their products with a matrix are not stored.
TEST(Memory, OfLmMaEsIsItsDirections) {
  constexpr Index d = 100000;
  constexpr Index popsize = 10;
  const Index directions = default_popsize(d);
  const double bytes = peak_bytes_a_coordinate(d, [] {
    minimize([](const Vector& x) { return x.squaredNorm(); }, Vector::Constant(d, 3), 2,
             {.maxiter = 20, .method = "lm-ma-es", .popsize = popsize, .seed = 1});
  });
  EXPECT_LE(bytes, 8.0 * static_cast<double>(popsize + directions + 15));
}

/// Whatever length is asked for.
TEST(Memory, OfTheTestForStagnationIsBounded) {
  const long before = live_bytes;
  peak_bytes = before;
  const Optimizer search({3, 3}, 2, {.method = "snes", .seed = 1, .tolstagnation = 1000000000});
  EXPECT_LT(peak_bytes - before, 1000000);
}

TEST(Memory, OfTheTestForStagnationIsLessThanAMatrix) {
  EXPECT_LE(peak_in_matrices({.learning_rate = "fixed"}), matrices_of({.learning_rate = "fixed"}) + 1);
}

}  // namespace
}  // namespace surefoot
