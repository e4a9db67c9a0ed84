#include "core/invalid_option.hpp"
#include "problems/look_up.hpp"
#include "surefoot/bbob.hpp"

namespace surefoot {
namespace {

ProblemInstance instance_of(const BbobProblem& problem) {
  return {.name = problem.function().name,
          .start = Vector::Zero(problem.dimension()),  // what COCO offers
          .sigma0 = 2,
          .optimum = problem.optimum(),
          .optimal_value = problem.optimal_value(),
          .value = [problem](std::span<const double> x) { return problem(x); },
          .values = [problem](const Matrix& population, Vector& f) { problem.evaluate(population, f); }};
}

ProblemInstance instance_of(const Problem& problem, Index dimension) {
  return {.name = problem.name,
          .start = Vector::Constant(dimension, problem.start),
          .sigma0 = problem.sigma0,
          .optimum = Vector::Constant(dimension, problem.optimum),
          .optimal_value = 0,
          .value = problem,
          .values = [&problem](const Matrix& population, Vector& f) { problem.values(population, f); }};
}

}  // namespace

ProblemInstance make_problem(const std::string& name, Index dimension, std::optional<int> instance) {
  for (const BbobFunction& row : bbob_table()) {
    if (row.name == name) return instance_of(BbobProblem(row.number, dimension, instance.value_or(1)));
  }
  const Problem* problem = look_up_problem(name);
  if (problem == nullptr) {
    reject("problem", "'" + name + "'", "known problems are " + listed(problem_names()) + ", bbob-f1 to bbob-f24");
  }
  if (instance && *instance != 1) reject("instance", *instance, name + " has one instance only");
  if (dimension < problem->min_dimension) {
    reject("dim", dimension, name + " needs at least " + std::to_string(problem->min_dimension));
  }
  return instance_of(*problem, dimension);
}

}  // namespace surefoot
