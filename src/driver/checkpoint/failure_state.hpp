#pragma once

#include "core/invalid_option.hpp"
#include "surefoot/failure.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

inline constexpr std::int64_t most_attempts = 1000000000;

inline void require_failure_kind(std::int64_t kind) {
  if (kind >= 0 && kind <= static_cast<std::int64_t>(FailureKind::start)) return;
  reject("checkpoint: kind of failure", kind, "there is none of this number");
}

/// A failure of one of this many candidates, for checkpoints.
inline void visit_failure(StateVisitor& visitor, Failure& failure, Index candidates) {
  std::int64_t candidate = failure.candidate;
  std::int64_t attempt = failure.attempt;
  auto kind = static_cast<std::int64_t>(failure.kind);
  visitor.integer("candidate", candidate);
  visitor.integer("attempt", attempt);
  visitor.integer("kind", kind);
  visitor.text("reason", failure.reason);
  if (candidate < 0 || candidate >= candidates) reject("checkpoint: candidate", candidate, "there is none");
  require_failure_kind(kind);
  if (attempt < 0 || attempt > most_attempts) reject("checkpoint: attempt", attempt, "no candidate has that many");
  failure.candidate = static_cast<long>(candidate);
  failure.attempt = static_cast<int>(attempt);
  failure.kind = static_cast<FailureKind>(kind);
}

}  // namespace surefoot
