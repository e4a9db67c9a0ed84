#pragma once

/// \file
/// Benchmark functions: value, start, optimum, citation.

#include <span>
#include <string>
#include <vector>

#include "surefoot/types.hpp"

namespace surefoot {

/// One row of the table of problems. Values of single points and of populations are the same bit for bit.
struct Problem {
  std::string name;
  std::string title;
  std::string formula;
  std::string citation;  // key in docs/bibliography.md
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

/// \throws std::invalid_argument for an unknown name, with the names there are.
const Problem& find_problem(const std::string& name);

}  // namespace surefoot
