#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Benchmark problems with constraints: f and what must not be above 0, or must be 0, with the best point that is
/// known.

#include <span>
#include <string>
#include <vector>

#include "surefoot/bounds.hpp"
#include "surefoot/evaluation.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// One row of the table of constrained problems.
struct ConstrainedProblem {
  std::string name;
  std::string title;
  std::string citation;  // key in docs/reference/bibliography.md
  Index dimension;       // 0: any
  int constraints;       // inequalities g <= 0
  int equalities;        // h = 0
  Bounds bounds;         // may be empty
  double start;          // x0 = (start, ..., start) without bounds; with them it is the middle
  double sigma0;         // without bounds
  double best_value;     // f at the best point
  Vector best;           // empty for any dimension: (1, 0, ..., 0)
  Evaluation (*value)(const double* x, Index d);

  Evaluation operator()(std::span<const double> x) const { return value(x.data(), static_cast<Index>(x.size())); }
};

const std::vector<ConstrainedProblem>& constrained_table();

/// \throws std::invalid_argument for an unknown name; the message lists the known ones.
const ConstrainedProblem& find_constrained(const std::string& name);

}  // namespace surefoot
