#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Benchmark functions: value, start, optimum, citation. Those of the BBOB suite are in bbob.hpp, practical ones in
/// practical.hpp.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "surefoot/bounds.hpp"
#include "surefoot/evaluation.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// One row of the table of problems. A point has the same value, bit for bit, alone and in a population.
struct Problem {
  std::string name;
  std::string title;
  std::string formula;
  std::string citation;  // key in docs/reference/bibliography.md
  Index min_dimension;
  double start;  // x0 = (start, ..., start)
  double sigma0;
  double optimum;  // x* = (optimum, ..., optimum), f(x*) = 0
  double (*value)(const double* x, Index d);
  void (*values)(const Matrix& population, Vector& values);

  double operator()(std::span<const double> x) const { return value(x.data(), static_cast<Index>(x.size())); }
  Vector operator()(const Matrix& population) const {
    Vector f(population.cols());
    values(population, f);
    return f;
  }
};

const std::vector<Problem>& problem_table();

/// \throws std::invalid_argument for an unknown name; the message lists the known ones.
const Problem& find_problem(const std::string& name);

/// A benchmark problem of any suite at one dimension, ready to be evaluated by any number of threads.
struct ProblemInstance {
  std::string name;
  Vector start;
  std::optional<double> sigma0;  // empty: a quarter of the width of the bounds
  Bounds bounds;                 // of practical problems
  Vector optimum;                // or the best point that is known
  double optimal_value;
  std::function<double(std::span<const double>)> value;
  std::function<void(const Matrix&, Vector&)> values;
  int constraints = 0;  // inequalities and equalities of a constrained problem
  int equalities = 0;
  std::function<Evaluation(std::span<const double>)> evaluation = {};  // empty without constraints

  [[nodiscard]] bool is_constrained() const { return static_cast<bool>(evaluation); }
  double operator()(std::span<const double> x) const { return value(x); }
  void operator()(const Matrix& population, Vector& f) const { values(population, f); }
};

/// A problem by name, from problem_table(), practical_table(), constrained_table() or bbob_table(). Practical problems
/// and most constrained ones have a dimension of their own; BBOB problems have many instances (default 1).
/// \throws std::invalid_argument for a name, dimension or instance that does not exist.
ProblemInstance make_problem(const std::string& name, std::optional<Index> dimension = {},
                             std::optional<int> instance = {});

}  // namespace surefoot
