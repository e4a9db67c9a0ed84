#pragma once

#include <cstdint>
#include <string>

#include "core/invalid_option.hpp"
#include "search/stop/stop.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// Why something ended, in a checkpoint.
inline void visit_stop(StateVisitor& visitor, const char* name, Stop& stop) {
  auto reason = static_cast<std::int64_t>(stop.reason);
  visitor.integer(name, reason);
  visitor.text("sentence", stop.sentence);
  if (reason < 0 || reason >= static_cast<std::int64_t>(stop_table().size())) {
    reject("checkpoint: " + std::string(name), reason, "there is none of this number");
  }
  stop.reason = static_cast<StopReason>(reason);
}

}  // namespace surefoot
