#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// What is known about a candidate. Only this header decides what NaN and infinity mean.

#include <cmath>
#include <span>
#include <vector>

#include "surefoot/types.hpp"

namespace surefoot {

/// What a value of the objective says about a candidate.
enum class ValueKind {
  finite,      // it has a rank
  infeasible,  // +infinity: the candidate is not allowed; it ranks behind all finite values
  failed,      // NaN or -infinity: the evaluation failed; it ranks like infeasible
};

inline ValueKind kind_of(double f) {
  if (std::isfinite(f)) return ValueKind::finite;
  return f > 0 ? ValueKind::infeasible : ValueKind::failed;
}

/// Whether a value counts for rankings, the best so far and the tests for convergence.
inline bool is_finite(double f) { return kind_of(f) == ValueKind::finite; }

/// The outcome of an evaluation.
struct Outcome {
  enum class State {
    open,       // nothing yet
    evaluated,  // by the objective
    predicted,  // by a model of the objective, which costs no evaluation
    failed,     // without a value
  };

  State state = State::open;
  double f = 0;                          // NaN for a failed evaluation
  std::vector<double> constraints = {};  // values of constraints; empty without any
  int attempts = 0;                      // evaluations, the failed ones included
};

/// All values of an outcome, f first, in the order of journals, messages and programs.
std::vector<double> values_of(const Outcome& outcome);

/// The outcome of an evaluation with these values, f first. A NaN among them makes it a failure.
Outcome outcome_of(std::span<const double> values, int attempts);

}  // namespace surefoot
