#include <algorithm>
#include <cmath>
#include <limits>

#include "surefoot/evaluator.hpp"

// What NaN, infinity, exceptions, crashes, timeouts and nonsense mean, together with core/ranking.cpp: a failed
// candidate counts as NaN, and everything that is not finite ranks last.

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

void Generation::start(const Matrix& population) {
  population_ = &population;
  slots_.assign(static_cast<std::size_t>(population.cols()), Slot{});
  failures_.clear();
  exception_ = nullptr;
}

bool Generation::is_complete() const {
  return std::none_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.state == State::open; });
}

void Generation::set(Index i, double value) {
  if (std::isnan(value)) return fail(i, FailureKind::nan, "the value is NaN");
  if (value == -std::numeric_limits<double>::infinity()) return fail(i, FailureKind::nan, "the value is -infinity");
  const std::lock_guard lock(mutex_);
  Slot& slot = slots_[static_cast<std::size_t>(i)];
  slot.state = State::set;
  slot.value = value;
  ++slot.attempts;
  if (done_) done_(i);
}

void Generation::fail(Index i, FailureKind kind, std::string reason, std::exception_ptr exception) {
  const std::lock_guard lock(mutex_);
  Slot& slot = slots_[static_cast<std::size_t>(i)];
  slot.state = State::failed;
  slot.value = std::numeric_limits<double>::quiet_NaN();
  failures_.push_back({static_cast<long>(i), ++slot.attempts, kind, std::move(reason)});
  if (exception && !exception_) exception_ = std::move(exception);
  if (done_) done_(i);
}

bool Generation::reopen_failures(int retry) {
  bool any = false;
  for (Slot& slot : slots_) {
    if (slot.state != State::failed || slot.attempts > retry) continue;
    slot.state = State::open;
    any = true;
  }
  return any;
}

Index Generation::count_failed() const {
  return std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.state == State::failed; });
}

Index Generation::count_set() const {
  return std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.state != State::open; });
}

/// In the order of the candidates, whatever the order in which they came.
void Generation::write_values(Vector& values) const {
  values.resize(size());
  for (Index i = 0; i < size(); ++i) values[i] = value(i);
}

void Generation::restore(Index i, double value, int attempts) {
  Slot& slot = slots_[static_cast<std::size_t>(i)];
  slot.state = std::isnan(value) ? State::failed : State::set;
  slot.value = value;
  slot.attempts = attempts;
}

void Generation::restore_failure(const Failure& failure) { failures_.push_back(failure); }

}  // namespace surefoot
