#include "surefoot/generation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

bool is_failed(double value) { return kind_of(value) == ValueKind::failed; }

/// Without constraints, whose memory stays. To build outcomes anew took three percent of a generation at d = 10.
void put(Outcome& outcome, Outcome::State state, double f, int attempts) {
  outcome.state = state;
  outcome.f = f;
  outcome.constraints.clear();
  outcome.attempts = attempts;
}

}  // namespace

std::string_view name(FailureKind kind) {
  switch (kind) {
    case FailureKind::nan: return "nan";
    case FailureKind::exception: return "exception";
    case FailureKind::crash: return "crash";
    case FailureKind::exit: return "exit";
    case FailureKind::timeout: return "timeout";
    case FailureKind::unparsable: return "unparsable";
    case FailureKind::start: return "start";
  }
  return "nan";
}

std::vector<double> values_of(const Outcome& outcome) {
  std::vector<double> values = {outcome.f};
  values.insert(values.end(), outcome.constraints.begin(), outcome.constraints.end());
  return values;
}

std::vector<double> values_of(const Evaluation& evaluation) {
  std::vector<double> values = {evaluation.f};
  values.insert(values.end(), evaluation.g.begin(), evaluation.g.end());
  values.insert(values.end(), evaluation.h.begin(), evaluation.h.end());
  return values;
}

std::string defect_of(std::span<const double> values, std::span<const std::string> names) {
  if (values.empty()) return "there is no value";
  const auto failed = std::find_if(values.begin(), values.end(), is_failed);
  if (failed == values.end()) return {};
  const auto constraint = static_cast<std::size_t>(failed - values.begin());  // from 1; 0 is f
  std::string whose;
  if (constraint > 0) whose = constraint <= names.size() ? names[constraint - 1] : "constraint " + text(constraint);
  return "the value " + (whose.empty() ? "" : "of " + whose + " ") + "is " +
         (std::isnan(*failed) ? "NaN" : "-infinity");
}

Outcome outcome_of(std::span<const double> values, int attempts) {
  using State = Outcome::State;
  if (values.empty() || std::any_of(values.begin(), values.end(), is_failed))
    return {State::failed, std::numeric_limits<double>::quiet_NaN(), {}, attempts};
  return {State::evaluated, values[0], {values.begin() + 1, values.end()}, attempts};
}

void Generation::start(Matrix points) {
  own_points_ = std::move(points);
  points_ = &own_points_;
  open_all();
}

/// Without a listener the clocks are not read, so they need not be set.
void Generation::open_all() {
  outcomes_.resize(static_cast<std::size_t>(points_->cols()));
  for (Outcome& outcome : outcomes_) put(outcome, Outcome::State::open, 0, 0);
  clocks_.resize(outcomes_.size());
  if (done_) std::fill(clocks_.begin(), clocks_.end(), Stopped{});
  failures_.clear();
  exception_ = nullptr;
}

/// Without a listener nobody reads the clock, which costs as much as a cheap objective.
void Generation::begin(Index i, int worker) {
  if (done_) clocks_[static_cast<std::size_t>(i)] = {{.worker = worker}, Clock::now()};
}

void Generation::took_together(double seconds) {
  if (!done_) return;
  const double share = seconds / static_cast<double>(count(Outcome::State::open));
  for (Index i = 0; i < size(); ++i) {
    if (is_open(i)) took(i, share, 0);
  }
}

/// The outcome is there.
void Generation::report(Index i) {
  if (!done_) return;
  Stopped& clock = clocks_[static_cast<std::size_t>(i)];
  if (clock.begin != Clock::time_point{}) {
    clock.timing.seconds = std::chrono::duration<double>(Clock::now() - clock.begin).count();
    clock.begin = {};
  }
  done_(i);
}

std::vector<Index> Generation::open_candidates() const {
  std::vector<Index> open;
  for (Index i = 0; i < size(); ++i) {
    if (is_open(i)) open.push_back(i);
  }
  return open;
}

void Generation::set(Index i, std::span<const double> values) {
  if (std::string defect = defect_of(values); !defect.empty()) return fail(i, FailureKind::nan, std::move(defect));
  const std::lock_guard lock(mutex_);
  Outcome& outcome = outcomes_[static_cast<std::size_t>(i)];
  outcome.state = Outcome::State::evaluated;
  outcome.f = values[0];
  outcome.constraints.assign(values.begin() + 1, values.end());
  ++outcome.attempts;
  report(i);
}

void Generation::put_values(const Vector& values) {
  using State = Outcome::State;
  for (Index i = 0; i < size(); ++i) {
    Outcome& outcome = outcomes_[static_cast<std::size_t>(i)];
    const bool has_failed = is_failed(values[i]);
    const double f = has_failed ? std::numeric_limits<double>::quiet_NaN() : values[i];
    put(outcome, has_failed ? State::failed : State::evaluated, f, std::max(1, outcome.attempts));
  }
}

void Generation::predict(Index i, double f) {
  const std::lock_guard lock(mutex_);
  Outcome& outcome = outcomes_[static_cast<std::size_t>(i)];
  outcome.state = Outcome::State::predicted;
  outcome.f = f;
}

void Generation::fail(Index i, FailureKind kind, std::string reason, std::exception_ptr exception) {
  const std::lock_guard lock(mutex_);
  Outcome& outcome = outcomes_[static_cast<std::size_t>(i)];
  outcome.state = Outcome::State::failed;
  outcome.f = std::numeric_limits<double>::quiet_NaN();
  failures_.push_back({static_cast<long>(i), ++outcome.attempts, kind, std::move(reason)});
  if (exception && !exception_) exception_ = std::move(exception);
  report(i);
}

bool Generation::reopen_failures(int retry) {
  bool any = false;
  for (Outcome& outcome : outcomes_) {
    if (outcome.state != Outcome::State::failed || outcome.attempts > retry) continue;
    outcome.state = Outcome::State::open;
    any = true;
  }
  return any;
}

void Generation::forget_failures() {
  for (Outcome& outcome : outcomes_) {
    if (outcome.state == Outcome::State::failed) outcome = {};
  }
  failures_.clear();
}

Index Generation::count(Outcome::State state) const {
  return std::count_if(outcomes_.begin(), outcomes_.end(), [state](const Outcome& o) { return o.state == state; });
}

void Generation::write_values(Vector& values) const {
  values.resize(size());
  for (Index i = 0; i < size(); ++i) values[i] = value(i);
}

}  // namespace surefoot
