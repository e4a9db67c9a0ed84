#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/arena_problem.hpp"
#include "experiments/contender.hpp"

namespace surefoot {

inline constexpr double arena_target = 1e-8;

/// A point of the arena's grid without the method.
struct ArenaCell {
  std::string function;
  Index dimension = 0;
  std::string popsize;  // "default" or a multiple of it, "3x"

  [[nodiscard]] Index candidates() const;  // a generation
  [[nodiscard]] std::string text() const;  // "sphere,10,3x"
};

/// How one trial ended.
struct ArenaOutcome {
  bool success = false;  // The target was reached. Without meaning where values are noise.
  std::int64_t evaluations = 0;
  double distance = 0;  // of the mean from the optimum
  double growth = 0;    // sigma at the end, relative to the start
  double drift = 0;     // |m - m0|/sigma0
  double eta_m = 0;     // averages over the second half of the generations
  double eta_sigma = 0;
  double eta_B = 0;
  double lowest_eta_m = 0;  // of all generations
  double lowest_eta_sigma = 0;
  double lowest_eta_B = 0;
  std::string stop;
};

/// Names of the fields of an outcome, and their text, for files.
const std::vector<std::string>& arena_columns();
std::string fields_of(const ArenaOutcome& outcome);
ArenaOutcome arena_outcome(const std::vector<std::string>& fields);

/// The course of a trial, thinned out for pictures.
struct ArenaCourse {
  std::vector<double> nfev;
  std::vector<double> best;
  std::vector<double> sigma;
  std::vector<double> eta_m;
  std::vector<double> eta_sigma;
  std::vector<double> eta_B;
};

/// Runs one trial without tolerances. `course`, if there is one, gets its course.
ArenaOutcome run_arena_trial(const Contender& contender, const ArenaCell& cell, std::uint64_t seed,
                             ArenaCourse* course = nullptr);

}  // namespace surefoot
