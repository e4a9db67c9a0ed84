#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Problems of the kind users have: fits, designs, controllers, each with its box and the best value that is known.

#include <span>
#include <string>
#include <vector>

#include "surefoot/bounds.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// One row of the table of practical problems. Values are a pure function of x; they are +infinity where a simulation
/// fails.
struct PracticalProblem {
  std::string name;
  std::string title;
  std::string story;     // what it is, and why it is hard
  std::string citation;  // key in docs/reference/bibliography.md
  Bounds bounds;         // finite for every coordinate
  double (*value)(const double* x, Index d);
  double typical_value;  // median of the values at 1000 random points of the box
  double best_value;     // the lowest known value
  Vector best;           // its point

  [[nodiscard]] Index dimension() const { return bounds.lower.size(); }
  double operator()(std::span<const double> x) const { return value(x.data(), static_cast<Index>(x.size())); }

  /// (f - best value)/(typical value - best value): 0 for the best point, 1 for a random one.
  [[nodiscard]] double regret(double f) const { return (f - best_value) / (typical_value - best_value); }
};

const std::vector<PracticalProblem>& practical_table();

/// \throws std::invalid_argument for an unknown name; the message lists the known ones.
const PracticalProblem& find_practical(const std::string& name);

}  // namespace surefoot
