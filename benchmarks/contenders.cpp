// Runs what benchmarks/compare asks for, one line of standard input after the other:
//
//   time CONTENDER D POPSIZE GENERATIONS   answers with microseconds per generation
//   solve CONTENDER D POPSIZE SEED         answers with the evaluations to f < 1e-8 on the Sphere, or -1
//
// One process and one thread for all, so that measurements can take turns.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>
#include <map>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/cmaes.hpp>
#include <pagmo/algorithms/xnes.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

#include "surefoot/surefoot.hpp"

namespace {

using surefoot::Index;
using surefoot::Matrix;
using surefoot::Vector;

constexpr double target = 1e-8;

/// Processor time of this thread, which does all the work: on a shared machine other processes take turns with it.
class Stopwatch {
 public:
  [[nodiscard]] double microseconds() const { return now() - begin_; }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
  }

  double begin_ = now();
};

struct Sphere {
  std::size_t dimension = 2;

  [[nodiscard]] pagmo::vector_double fitness(const pagmo::vector_double& x) const {
    double sum = 0;
    for (const double value : x) sum += value * value;
    return {sum};
  }
  [[nodiscard]] std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    return {pagmo::vector_double(dimension, -5.0), pagmo::vector_double(dimension, 5.0)};
  }
};

/// As pagmo is used: a population, and evolve() for so many generations. Its tolerances are off.
pagmo::algorithm pagmo_algorithm(const std::string& name, unsigned generations, unsigned seed) {
  if (name == "pagmo xnes") return pagmo::algorithm(pagmo::xnes(generations, -1, -1, -1, -1, 0, 0, false, false, seed));
  return pagmo::algorithm(pagmo::cmaes(generations, -1, -1, -1, -1, 0.5, 0, 0, false, false, seed));
}

/// Searches are timed in pieces from the same start: a converged search computes slowly, with numbers that no real
/// search meets.
constexpr int longest_search = 500;

double time_pagmo(const std::string& name, Index d, Index popsize, int generations) {
  const pagmo::population population(pagmo::problem{Sphere{static_cast<std::size_t>(d)}},
                                     static_cast<pagmo::population::size_type>(popsize), 1U);
  double time = 0;
  for (int done = 0; done < generations; done += longest_search) {
    const int count = std::min(longest_search, generations - done);
    const pagmo::algorithm algorithm = pagmo_algorithm(name, static_cast<unsigned>(count), 1U);
    const Stopwatch watch;
    const pagmo::population evolved = algorithm.evolve(population);
    time += watch.microseconds();
    const auto expected = static_cast<unsigned long long>(popsize) * (static_cast<unsigned long long>(count) + 1);
    if (evolved.get_problem().get_fevals() != expected) throw std::runtime_error(name + " stopped early");
  }
  return time / generations;
}

long solve_pagmo(const std::string& name, Index d, Index popsize, unsigned seed) {
  pagmo::population population(pagmo::problem{Sphere{static_cast<std::size_t>(d)}},
                               static_cast<pagmo::population::size_type>(popsize), seed);
  // pagmo's strategies do not stop at a target, so this searches for the number of generations that reaches it.
  for (unsigned generations = 25; generations < 20000; generations += 25) {
    const pagmo::population evolved = pagmo_algorithm(name, generations, seed).evolve(population);
    if (evolved.champion_f()[0] < target) return static_cast<long>(generations) * popsize;
  }
  return -1;
}

const std::map<std::string, const char*> rates = {{"surefoot xnes", "fixed"},
                                                  {"surefoot auto", "auto"},
                                                  {"surefoot geodesic", "geodesic"},
                                                  {"surefoot lra", "lra"},
                                                  {"surefoot lra, frame of B", "lra:frame=B"}};

/// The sphere for whole populations.
void sphere(const Matrix& population, Vector& values) {
  for (Index i = 0; i < population.cols(); ++i) values[i] = population.col(i).squaredNorm();
}

/// The time includes the driver: counting, stop criteria, test for degeneracy.
double time_surefoot(const std::string& name, Index d, Index popsize, int generations) {
  Vector values(popsize);
  double time = 0;
  for (int done = 0; done < generations; done += longest_search) {
    surefoot::Optimizer search(Vector::Constant(d, 3), 2,
                               {.evaluate_x0 = false,
                                .learning_rate = rates.at(name),
                                .maxiter = longest_search + 2,
                                .popsize = popsize,
                                .seed = 1,
                                .tolfun = 1e-300,  // tested, but never met
                                .tolfunhist = 1e-300,
                                .tolx = 1e-300});
    const auto generation = [&] {
      const Matrix& population = search.ask();
      sphere(population, values);
      search.tell(values);
    };
    generation();
    const Stopwatch watch;
    for (int t = 0; t < std::min(longest_search, generations - done); ++t) generation();
    time += watch.microseconds();
  }
  return time / generations;
}

long solve_surefoot(const std::string& name, Index d, Index popsize, unsigned seed) {
  const auto result = surefoot::minimize([](const Vector& x) { return x.squaredNorm(); }, Vector::Constant(d, 3), 2,
                                         {.evaluate_x0 = false,
                                          .ftarget = target,
                                          .learning_rate = rates.at(name),
                                          .maxfevals = 500000,
                                          .popsize = popsize,
                                          .restarts = "none",
                                          .seed = seed});
  return result.success ? static_cast<long>(result.nfev) : -1;
}

/// What any full-covariance method must do at least: one product B Z and one rank-popsize update, by Eigen.
double time_bound(Index d, Index popsize, int generations) {
  Matrix B = Matrix::Identity(d, d);
  const Matrix Z = Matrix::Random(d, popsize);
  Matrix Y(d, popsize);
  const Stopwatch watch;
  for (int t = 0; t < generations; ++t) {
    Y.noalias() = B * Z;
    B.noalias() += 1e-9 * Y * Z.transpose();
  }
  const double time = watch.microseconds() / generations;
  if (!std::isfinite(B.sum())) throw std::runtime_error("the bound's matrix overflowed");
  return time;
}

void answer(const std::string& line) {
  std::istringstream in(line);
  std::string action;
  std::string name;
  Index d = 0;
  Index popsize = 0;
  int number = 0;
  in >> action;
  std::getline(in >> std::ws, name, '\t');
  if (!(in >> d >> popsize >> number)) throw std::runtime_error("cannot read: " + line);
  const bool is_pagmo = name.starts_with("pagmo");
  if (action == "solve") {
    const auto seed = static_cast<unsigned>(number);
    std::cout << (is_pagmo ? solve_pagmo(name, d, popsize, seed) : solve_surefoot(name, d, popsize, seed)) << std::endl;
  } else if (name == "bound") {
    std::cout << time_bound(d, popsize, number) << std::endl;
  } else {
    std::cout << (is_pagmo ? time_pagmo(name, d, popsize, number) : time_surefoot(name, d, popsize, number))
              << std::endl;
  }
}

}  // namespace

int main() {
  try {
    for (std::string line; std::getline(std::cin, line);) answer(line);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "surefoot_contenders: " << error.what() << '\n';
    return 1;
  }
}
