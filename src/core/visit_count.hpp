#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/invalid_option.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// A number that is counted up: from 0, and so far below the largest that nobody can count beyond it.
inline void visit_count(StateVisitor& visitor, std::string_view name, std::int64_t& count) {
  constexpr std::int64_t most = std::int64_t{1} << 60U;
  visitor.integer(name, count);
  if (count < 0 || count > most) reject("checkpoint: " + std::string(name), count, "it must be from 0 to 2^60");
}

}  // namespace surefoot
