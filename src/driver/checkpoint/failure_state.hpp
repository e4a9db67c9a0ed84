#pragma once

#include "core/invalid_option.hpp"
#include "surefoot/failure.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// A failure of one of so many candidates, for checkpoints.
inline void visit_failure(StateVisitor& visitor, Failure& failure, Index candidates) {
  std::int64_t candidate = failure.candidate;
  std::int64_t attempt = failure.attempt;
  auto kind = static_cast<std::int64_t>(failure.kind);
  visitor.integer("candidate", candidate);
  visitor.integer("attempt", attempt);
  visitor.integer("kind", kind);
  visitor.text("reason", failure.reason);
  if (candidate < 0 || candidate >= candidates) reject("checkpoint: candidate", candidate, "there is none");
  failure.candidate = static_cast<long>(candidate);
  failure.attempt = static_cast<int>(attempt);
  failure.kind = static_cast<FailureKind>(kind);
}

}  // namespace surefoot
