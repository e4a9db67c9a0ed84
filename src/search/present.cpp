#include "search/present.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/failure_state.hpp"

namespace surefoot {
namespace {

void visit_outcome(StateVisitor& visitor, Outcome& outcome) {
  auto state = static_cast<std::int64_t>(outcome.state);
  std::int64_t attempts = outcome.attempts;
  Vector constraints =
      Eigen::Map<const Vector>(outcome.constraints.data(), static_cast<Index>(outcome.constraints.size()));
  visitor.integer("state", state);
  visitor.integer("attempts", attempts);
  visitor.scalar("value", outcome.f);
  visitor.vector("constraints", constraints);
  if (state < 0 || state > static_cast<std::int64_t>(Outcome::State::failed)) {
    reject("checkpoint: state of a candidate", state, "there is none of this number");
  }
  if (attempts < 0 || attempts > most_attempts) reject("checkpoint: attempts", attempts, "no candidate has that many");
  outcome.state = static_cast<Outcome::State>(state);
  outcome.attempts = static_cast<int>(attempts);
  outcome.constraints.assign(constraints.begin(), constraints.end());
}

}  // namespace

void Present::ask(Stage& stage, Index count, const Tally& tally) {
  stage_ = &stage;
  changed_.clear();
  generation_.start_with([&](Matrix& room) -> const Matrix& { return stage.ask(count, tally, room); });
  is_asked_ = true;
}

void Present::require_fit(const Matrix& points, Index count) const {
  const Matrix& asked = generation_.population();
  if (points.rows() != asked.rows() || points.cols() != asked.cols()) {
    reject("tell: candidates", "a " + text(points.rows()) + " x " + text(points.cols()) + " matrix",
           "it must be as ask gave it, " + text(asked.rows()) + " x " + text(asked.cols()));
  }
  if (count != asked.cols()) {
    reject("tell: values", "a list of " + text(count) + " numbers",
           "one per candidate is needed, " + text(asked.cols()));
  }
}

void Present::find_changes(const Matrix& points) {
  if (!points.allFinite()) throw std::invalid_argument("tell: candidates hold NaN or infinity; they must be finite");
  if (!setup_.domain->contains(points)) throw std::invalid_argument("tell: candidates must be within the bounds");
  changed_.clear();
  for (Index i = 0; i < points.cols(); ++i) {
    if (points.col(i) != generation_.population().col(i)) changed_.push_back(i);
  }
  if (!changed_.empty()) stage_->replace(points, changed_);
}

void Present::put_values(const std::vector<Evaluation>& evaluations) {
  for (Index i = 0; i < generation_.size(); ++i) {
    const int attempts = std::max(1, generation_.outcome(i).attempts);
    generation_.restore(i, outcome_of(values_of(evaluations[static_cast<std::size_t>(i)]), attempts));
  }
}

void Present::gather_values() {
  generation_.write_values(values_);
  require_constraints();
}

/// An evaluation without its constraints is a mistake of the caller, not a failure.
void Present::require_constraints() const {
  const auto wanted = static_cast<std::size_t>(setup_.rules.size());
  const Index size = generation_.size();
  for (Index i = 0; i < size; ++i) {
    const Outcome& outcome = generation_.outcome(i);
    if (outcome.constraints.size() == wanted || outcome.state != Outcome::State::evaluated) continue;
    reject("objective", "f with " + text(outcome.constraints.size()) + " values of constraints",
           "it must give " + text(wanted) + ": constraints = " + text(setup_.rules.inequalities) +
               ", equalities = " + text(setup_.rules.equalities));
  }
}

bool Present::is_untouched() const {
  return is_asked_ && generation_.count_set() == 0 && generation_.failures().empty();
}

/// What has attempts left is evaluated again, and a value without its constraints is refused when it is told.
bool Present::is_final() const {
  if (!generation_.is_complete()) return false;
  for (Index i = 0; i < generation_.size(); ++i) {
    const Outcome& outcome = generation_.outcome(i);
    if (outcome.state == Outcome::State::failed && outcome.attempts <= setup_.options.failures.retry) return false;
    const auto wanted = static_cast<std::size_t>(setup_.rules.size());
    if (outcome.state == Outcome::State::evaluated && outcome.constraints.size() != wanted) return false;
  }
  return true;
}

void Present::save(StateVisitor& writer) const {
  std::int64_t size = is_asked_ ? generation_.size() : 0;
  std::string stage(is_asked_ ? stage_->name() : "");
  writer.integer("generation size", size);
  writer.text("stage", stage);
  if (size == 0) return;
  for (Index i = 0; i < static_cast<Index>(size); ++i) {
    Outcome outcome = generation_.outcome(i);
    visit_outcome(writer, outcome);
  }
  auto count = static_cast<std::int64_t>(generation_.failures().size());
  writer.integer("failures", count);
  for (Failure failure : generation_.failures()) visit_failure(writer, failure, generation_.size());
}

void Present::restore(StateVisitor& reader, const AskAgain& ask) {
  std::int64_t size = 0;
  std::string stage;
  reader.integer("generation size", size);
  reader.text("stage", stage);
  if (size == 0) return;
  ask(stage, size);
  for (Index i = 0; i < static_cast<Index>(size); ++i) {
    Outcome outcome;
    visit_outcome(reader, outcome);
    generation_.restore(i, outcome);
  }
  std::int64_t count = 0;
  reader.integer("failures", count);
  for (std::int64_t k = 0; k < count; ++k) {
    Failure failure;
    visit_failure(reader, failure, generation_.size());
    generation_.restore_failure(failure);
  }
}

}  // namespace surefoot
