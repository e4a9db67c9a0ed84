#include "surefoot/generation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace surefoot {

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

Outcome outcome_of(std::span<const double> values, int attempts) {
  using State = Outcome::State;
  const double f = values.empty() ? std::numeric_limits<double>::quiet_NaN() : values[0];
  if (kind_of(f) == ValueKind::failed) return {State::failed, std::numeric_limits<double>::quiet_NaN(), {}, attempts};
  return {State::evaluated, f, {values.begin() + 1, values.end()}, attempts};
}

void Generation::start(Matrix points) {
  own_points_ = std::move(points);
  points_ = &own_points_;
  open_all();
}

void Generation::open_all() {
  outcomes_.assign(static_cast<std::size_t>(points_->cols()), Outcome{});
  failures_.clear();
  exception_ = nullptr;
}

std::vector<Index> Generation::open_candidates() const {
  std::vector<Index> open;
  for (Index i = 0; i < size(); ++i) {
    if (is_open(i)) open.push_back(i);
  }
  return open;
}

void Generation::set(Index i, std::span<const double> values) {
  const double f = values[0];
  if (std::isnan(f)) return fail(i, FailureKind::nan, "the value is NaN");
  if (kind_of(f) == ValueKind::failed) return fail(i, FailureKind::nan, "the value is -infinity");
  if (std::any_of(values.begin() + 1, values.end(), [](double g) { return std::isnan(g); })) {
    return fail(i, FailureKind::nan, "the value of a constraint is NaN");
  }
  const std::lock_guard lock(mutex_);
  Outcome& outcome = outcomes_[static_cast<std::size_t>(i)];
  outcome.state = Outcome::State::evaluated;
  outcome.f = f;
  outcome.constraints.assign(values.begin() + 1, values.end());
  ++outcome.attempts;
  if (done_) done_(i);
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
  if (done_) done_(i);
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
