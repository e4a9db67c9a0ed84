#include "search/watch.hpp"

#include "core/invalid_option.hpp"

namespace surefoot {

double Watch::elapsed() const { return before_ + std::chrono::duration<double>(Clock::now() - begin_).count(); }

StopReason Watch::cancel_reason() const {
  if (cancelled_ != StopReason::none) return cancelled_;
  if (options_.interrupt && options_.interrupt()) {
    cancelled_ = StopReason::interrupted;
  } else if (options_.timeout && elapsed() >= *options_.timeout) {
    cancelled_ = StopReason::timeout;
  }
  return cancelled_;
}

Stop Watch::end_by(StopReason reason) const {
  if (reason == StopReason::none) return {};
  if (reason == StopReason::timeout) {
    return {reason, options_.timeout ? "time used: timeout = " + text(*options_.timeout) + " s" : "time used"};
  }
  return {reason, "interrupted"};
}

}  // namespace surefoot
