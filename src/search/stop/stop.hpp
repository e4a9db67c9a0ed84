#pragma once

#include <string>

#include "surefoot/stop.hpp"

namespace surefoot {

/// A reason, and a sentence with the numbers that decided it.
struct Stop {
  StopReason reason = StopReason::none;
  std::string sentence = {};

  explicit operator bool() const { return reason != StopReason::none; }
};

}  // namespace surefoot
