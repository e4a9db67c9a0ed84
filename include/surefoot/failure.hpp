#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// What happens when an evaluation fails.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "surefoot/types.hpp"

namespace surefoot {

/// How an evaluation failed. A value of +infinity does not count as a failure: the candidate is infeasible.
enum class FailureKind {
  nan,         // NaN, or minus infinity, which no value could improve on
  exception,   // the objective threw
  crash,       // the program was ended by a signal
  exit,        // the program's exit status was not 0
  timeout,     // it took longer than allowed
  unparsable,  // the program's answer is not a number
  start,       // the program could not be started
};

std::string_view name(FailureKind kind);

/// What a search does with failed evaluations. By default it ranks them behind all others, counts them and continues.
struct FailurePolicy {
  int retry = 0;         // how often a failed candidate is evaluated again
  int generations = 3;   // stop after this many generations in a row without any success
  double fraction = 1;   // stop when more than this share of all evaluations has failed (after the first 100)
  bool rethrow = false;  // let exceptions of the objective reach the caller instead
};

/// How many evaluations have failed in one way, and the last of them.
struct FailureCount {
  std::int64_t count = 0;
  std::string reason = {};
  Vector x = {};  // where
};

/// One for each FailureKind.
using FailureCounts = std::array<FailureCount, 7>;

/// One failed attempt, for the trace.
struct Failure {
  long candidate = 0;
  int attempt = 1;
  FailureKind kind = FailureKind::nan;
  std::string reason;
};

}  // namespace surefoot
