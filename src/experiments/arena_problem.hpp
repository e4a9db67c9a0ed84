#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "surefoot/problems.hpp"

namespace surefoot {

/// What a method is judged by on a function of the arena.
enum class ArenaKind {
  unimodal,    // evaluations to the target
  multimodal,  // success within the budget, then evaluations
  noisy,       // distance of the mean from the optimum after the budget
  random,      // drift of distribution and rates where there is nothing to learn
};

std::string name(ArenaKind kind);

/// One row of the arena's table of functions.
struct ArenaFunction {
  std::string name;
  ArenaKind kind;
  std::string problem;  // in problem_table()
  bool rotated = false;
};

const std::vector<ArenaFunction>& arena_table();

/// \throws std::invalid_argument with the names there are.
const ArenaFunction& find_arena_function(const std::string& name);

/// Evaluations that a trial may take.
std::int64_t arena_budget(const ArenaFunction& function, Index dimension);

/// The function for one trial. A rotated problem is the same one in rotated coordinates, start and optimum included;
/// the rotation and the noise follow from the seed. Noise is drawn anew for each evaluation, so the values of one
/// instance must be asked for in order and from one thread.
ProblemInstance make_arena_problem(const ArenaFunction& function, Index dimension, std::uint64_t seed);

}  // namespace surefoot
