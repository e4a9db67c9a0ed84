// Time, memory and evaluations of the methods for very many variables. Words for a program, benchmarks/large_scale.py.
//
// Usage: surefoot_large_scale time DIMENSION [THREADS]
//          a line for the normals alone, which sampling cannot do without, and one for each method: name, popsize,
//          nanoseconds a coordinate and candidate, ratio to the normals; with several threads the wall clock's
//        surefoot_large_scale threads METHOD DIMENSION THREADS REPETITIONS
//          milliseconds of a generation by the wall clock with one and with so many threads, in turns, the shortest of
//          the repetitions each; and their ratio
//        surefoot_large_scale share METHOD DIMENSION REPETITIONS
//          milliseconds of processor time of a generation on one thread, the shortest of the repetitions; the share of
//          it in pieces of work that threads can divide; how often such work is handed out; and what follows for two
//          and for four threads at best. It can be measured where processors are shared, unlike `threads`
//        surefoot_large_scale memory METHOD DIMENSION
//          popsize, megabytes at the peak, seconds of five generations on the sphere
//        surefoot_large_scale evaluations METHOD DIMENSION SEED [PROBLEM]
//          evaluations to 1e-8 on the sphere or another problem; inf if 10^11/d do not suffice
//        surefoot_large_scale progress METHOD DIMENSION PROBLEM SECONDS [SIGMA0]
//          from 3 with a standard deviation of 0.1 or another: a line for each share of the start's value that is
//          reached within so many seconds of processor time, with evaluations; and one for the end

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "driver/thread_pool.hpp"
#include "surefoot/surefoot.hpp"

namespace surefoot {
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double (*seconds_now)() = cpu_seconds;

Index even_popsize(Index d) { return default_popsize(d) + default_popsize(d) % 2; }

/// The shortest of some repetitions, in seconds.
template <class Work>
double time_of(int repetitions, Work&& work) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const double begin = seconds_now();
    work();
    shortest = std::min(shortest, seconds_now() - begin);
  }
  return shortest;
}

/// A strategy that goes on from generation to generation, after as many as lm-ma-es needs until it has its directions.
class Course {
 public:
  Course(const std::string& method, Index d, int threads)
      : Course(method, d, threads > 1 ? std::make_shared<ThreadPool>(threads) : std::shared_ptr<Executor>{}) {}

  Course(const std::string& method, Index d, std::shared_ptr<Executor> executor) : values_(even_popsize(d)) {
    StrategyContext context{.start = {Vector::Constant(d, 3), Vector::Constant(d, 2)}, .popsize = values_.size()};
    context.executor = std::move(executor);
    strategy_ = make_strategy(method, context);
    for (Index t = 0; t < values_.size(); ++t) generation();
  }

  /// Seconds of ask and tell.
  double generation() {
    const Matrix* population = nullptr;
    double seconds = time_of(1, [&] { population = &strategy_->ask(t_++, normals_); });
    values_ = population->colwise().squaredNorm().transpose();
    seconds += time_of(1, [&] { strategy_->tell({*population, values_}); });
    return seconds;
  }

 private:
  std::unique_ptr<Strategy> strategy_;
  CounterNormals normals_{1};
  Vector values_;
  std::uint64_t t_ = 0;
};

/// Nanoseconds a coordinate and candidate of ask and tell, without the objective.
double generation(const std::string& method, Index d, int repetitions, int generations, int threads) {
  Course course(method, d, threads);
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    double seconds = 0;
    for (int k = 0; k < generations; ++k) seconds += course.generation();
    shortest = std::min(shortest, seconds);
  }
  return 1e9 * shortest / static_cast<double>(d * even_popsize(d) * generations);
}

void measure_threads(const std::string& method, Index d, int threads, int repetitions) {
  seconds_now = wall_seconds;
  Course one(method, d, 1);
  Course many(method, d, threads);
  double alone = std::numeric_limits<double>::infinity();
  double together = alone;
  for (int i = 0; i < repetitions; ++i) {
    alone = std::min(alone, one.generation());
    together = std::min(together, many.generation());
  }
  fmt::print("{:.2f} {:.2f} {:.2f}\n", 1e3 * alone, 1e3 * together, alone / together);
}

/// Does all pieces itself and counts its time.
class Stopwatch final : public Executor {
 public:
  void run(Index count, const std::function<void(Index)>& work) override {
    seconds += time_of(1, [&] {
      for (Index k = 0; k < count; ++k) work(k);
    });
    ++times;
  }

  double seconds = 0;
  int times = 0;
};

void measure_share(const std::string& method, Index d, int repetitions) {
  const auto stopwatch = std::make_shared<Stopwatch>();
  Course course(method, d, stopwatch);
  double shortest = std::numeric_limits<double>::infinity();
  double divided = 0;
  int times = 0;
  for (int i = 0; i < repetitions; ++i) {
    stopwatch->seconds = 0;
    stopwatch->times = 0;
    const double seconds = course.generation();
    if (seconds >= shortest) continue;
    shortest = seconds;
    divided = stopwatch->seconds / seconds;
    times = stopwatch->times;
  }
  fmt::print("{:.2f} {:.3f} {} {:.2f} {:.2f}\n", 1e3 * shortest, divided, times, 1 / (1 - divided / 2),
             1 / (1 - 3 * divided / 4));
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

void measure_time(Index d, int threads) {
  const Index popsize = even_popsize(d);
  const int generations = std::max(1, static_cast<int>(2000000 / (d * popsize)));
  const int repetitions = d < 1000000 ? 7 : 3;
  if (threads > 1) seconds_now = wall_seconds;
  const double alone = normals_alone(d, popsize, repetitions, generations);
  fmt::print("normals {} {:.2f} 1\n", popsize, alone);
  for (const MethodInfo& method : method_table()) {
    if (method.scale != Scale::linear) continue;
    const double time = generation(method.name, d, repetitions, generations, threads);
    fmt::print("{} {} {:.2f} {:.2f}\n", method.name, popsize, time, time / alone);
  }
}

void measure_memory(const std::string& method, Index d) {
  const double begin = cpu_seconds();
  const Result result = minimize([](const Vector& x) { return x.squaredNorm(); }, Vector::Constant(d, 3), 2,
                                 {.maxiter = 5, .method = method, .popsize = even_popsize(d), .seed = 1});
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{} {:.1f} {:.1f}\n", even_popsize(d), static_cast<double>(usage.ru_maxrss) * 1024 / 1e6,
             cpu_seconds() - begin);
}

void count_evaluations(const std::string& method, Index d, std::uint64_t seed, const std::string& problem) {
  const Result result = minimize(find_problem(problem), Vector::Constant(d, 3), 2,
                                 {.evaluate_x0 = false,
                                  .ftarget = 1e-8,
                                  .maxfevals = 100000000000 / d,
                                  .method = method,
                                  .popsize = even_popsize(d),
                                  .restarts = "none",
                                  .seed = seed});
  fmt::print("{}\n", result.success ? static_cast<double>(result.nfev) : std::numeric_limits<double>::infinity());
}

/// Every generation counts as a whole, and the objective's time too.
void follow_progress(const std::string& method, Index d, const std::string& problem, double seconds, double sigma0) {
  const double begin = cpu_seconds();
  const ProblemInstance instance = make_problem(problem, d);
  const Vector x0 = Vector::Constant(d, 3);
  Vector values(1);
  instance.values(x0, values);
  const double start = values[0];
  Optimizer search(x0, sigma0,
                   {.evaluate_x0 = false,
                    .ftarget = 1e-8,
                    .method = method,
                    .popsize = even_popsize(d),
                    .restarts = "none",
                    .seed = 1});
  std::vector<double> shares = {1e-8 / start, 1e-3, 1e-2, 0.1, 0.5, 0.9, 0.99, 0.999};  // the next one last
  double best = start;
  std::int64_t nfev = 0;
  while (!search.stop() && cpu_seconds() - begin < seconds) {
    const Matrix& population = search.ask();
    values.resize(population.cols());
    instance.values(population, values);
    best = std::min(best, values.minCoeff());
    nfev += population.cols();
    search.tell(values);
    for (; !shares.empty() && best <= shares.back() * start; shares.pop_back()) {
      fmt::print("{:.3g} {} {:.3g}\n", shares.back(), nfev, static_cast<double>(nfev) / static_cast<double>(d));
      std::fflush(stdout);
    }
  }
  fmt::print("end {:.4g} {} {:.3g} {:.1f} {}\n", best / start, nfev, static_cast<double>(nfev) / static_cast<double>(d),
             cpu_seconds() - begin, search.stop() ? search.result().message : "time is over");
}

void answer(const std::vector<std::string>& words) {
  const auto word = [&](std::size_t k) {
    return k < words.size() ? words[k] : throw std::invalid_argument("too few words");
  };
  if (word(0) == "time") {
    measure_time(std::stol(word(1)), words.size() > 2 ? std::stoi(word(2)) : 1);
  } else if (word(0) == "threads") {
    measure_threads(word(1), std::stol(word(2)), std::stoi(word(3)), std::stoi(word(4)));
  } else if (word(0) == "share") {
    measure_share(word(1), std::stol(word(2)), std::stoi(word(3)));
  } else if (word(0) == "memory") {
    measure_memory(word(1), std::stol(word(2)));
  } else if (word(0) == "evaluations") {
    count_evaluations(word(1), std::stol(word(2)), std::stoul(word(3)), words.size() > 4 ? word(4) : "sphere");
  } else if (word(0) == "progress") {
    follow_progress(word(1), std::stol(word(2)), word(3), std::stod(word(4)),
                    words.size() > 5 ? std::stod(word(5)) : 0.1);
  } else {
    throw std::invalid_argument("it measures time, threads, share, memory, evaluations or progress");
  }
}

}  // namespace
}  // namespace surefoot

int main(int argc, char** argv) {
  try {
    surefoot::answer({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "surefoot_large_scale: {}\n", error.what());
    return 2;
  }
  return 0;
}
