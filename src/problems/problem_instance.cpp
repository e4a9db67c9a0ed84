#include <stdexcept>

#include "core/edit_distance.hpp"
#include "core/invalid_option.hpp"
#include "problems/look_up.hpp"
#include "surefoot/bbob.hpp"

namespace surefoot {
namespace {

ProblemInstance instance_of(const BbobProblem& problem) {
  return {.name = problem.function().name,
          .start = Vector::Zero(problem.dimension()),  // COCO's suggestion
          .sigma0 = 2,
          .bounds = {},
          .optimum = problem.optimum(),
          .optimal_value = problem.optimal_value(),
          .value = [problem](std::span<const double> x) { return problem(x); },
          .values = [problem](const Matrix& population, Vector& f) { problem.evaluate(population, f); }};
}

ProblemInstance instance_of(const PracticalProblem& problem) {
  return {.name = problem.name,
          .start = (problem.bounds.lower + problem.bounds.upper) / 2,
          .sigma0 = {},
          .bounds = problem.bounds,
          .optimum = problem.best,
          .optimal_value = problem.best_value,
          .value = [&problem](std::span<const double> x) { return problem(x); },
          .values =
              [value = problem.value](const Matrix& population, Vector& f) {
                for (Index i = 0; i < population.cols(); ++i) f[i] = value(population.col(i).data(), population.rows());
              }};
}

ProblemInstance instance_of(const Problem& problem, Index dimension) {
  return {.name = problem.name,
          .start = Vector::Constant(dimension, problem.start),
          .sigma0 = problem.sigma0,
          .bounds = {},
          .optimum = Vector::Constant(dimension, problem.optimum),
          .optimal_value = 0,
          .value = problem,
          .values = [&problem](const Matrix& population, Vector& f) { problem.values(population, f); }};
}

ProblemInstance instance_of(const ConstrainedProblem& problem, Index dimension) {
  const bool has_box = !problem.bounds.empty();
  Vector best = problem.best;
  if (best.size() == 0) best = Vector::Unit(dimension, 0);
  return {.name = problem.name,
          .start = has_box ? Vector((problem.bounds.lower + problem.bounds.upper) / 2)
                           : Vector::Constant(dimension, problem.start),
          .sigma0 = has_box ? std::nullopt : std::optional(problem.sigma0),
          .bounds = problem.bounds,
          .optimum = best,
          .optimal_value = problem.best_value,
          .value = [&problem](std::span<const double> x) { return problem(x).f; },
          .values =
              [value = problem.value](const Matrix& population, Vector& f) {
                for (Index i = 0; i < population.cols(); ++i) {
                  f[i] = value(population.col(i).data(), population.rows()).f;
                }
              },
          .constraints = problem.constraints,
          .equalities = problem.equalities,
          .evaluation = [&problem](std::span<const double> x) { return problem(x); }};
}

void require_one_instance(const std::string& name, const std::optional<int>& instance) {
  if (instance && *instance != 1) reject("instance", *instance, name + " has one instance only");
}

Index given_dimension(const std::optional<Index>& dimension) {
  if (!dimension) throw std::invalid_argument("dim is missing: give --dim N or --x0 X1,X2,...");
  return *dimension;
}

ProblemInstance make_practical(const PracticalProblem& problem, const std::optional<Index>& dimension) {
  if (dimension && *dimension != problem.dimension()) {
    reject("dim", *dimension, problem.name + " has " + std::to_string(problem.dimension()) + " coordinates");
  }
  return instance_of(problem);
}

[[noreturn]] void refuse_problem(const std::string& name) {
  std::vector<std::string> names = problem_names();
  const std::vector<std::string> practical = practical_names();
  names.insert(names.end(), practical.begin(), practical.end());
  const std::vector<std::string> constrained = constrained_names();
  names.insert(names.end(), constrained.begin(), constrained.end());
  const std::string known = "known problems are " + listed(names) + ", bbob-f1 to bbob-f24";
  for (const BbobFunction& row : bbob_table()) names.push_back(row.name);
  reject("problem", "'" + name + "'", known + suggestion(name, names));
}

ProblemInstance make_constrained(const ConstrainedProblem& problem, const std::optional<Index>& dimension) {
  if (problem.dimension > 0 && dimension && *dimension != problem.dimension) {
    reject("dim", *dimension, problem.name + " has " + std::to_string(problem.dimension) + " coordinates");
  }
  if (problem.dimension > 0) return instance_of(problem, problem.dimension);
  if (given_dimension(dimension) < 1) reject("dim", *dimension, problem.name + " needs at least 1");
  return instance_of(problem, *dimension);
}

}  // namespace

ProblemInstance make_problem(const std::string& name, std::optional<Index> dimension, std::optional<int> instance) {
  for (const BbobFunction& row : bbob_table()) {
    if (row.name == name) {
      return instance_of(BbobProblem(row.number, given_dimension(dimension), instance.value_or(1)));
    }
  }
  const Problem* problem = look_up_problem(name);
  const PracticalProblem* practical = look_up_practical(name);
  const ConstrainedProblem* constrained = look_up_constrained(name);
  if (problem == nullptr && practical == nullptr && constrained == nullptr) refuse_problem(name);
  require_one_instance(name, instance);
  if (constrained != nullptr) return make_constrained(*constrained, dimension);
  if (practical != nullptr) return make_practical(*practical, dimension);
  if (given_dimension(dimension) < problem->min_dimension) {
    reject("dim", *dimension, name + " needs at least " + std::to_string(problem->min_dimension));
  }
  return instance_of(*problem, *dimension);
}

}  // namespace surefoot
