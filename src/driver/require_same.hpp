#pragma once

#include <string>

#include "surefoot/state_visitor.hpp"

namespace surefoot {

// A field of a checkpoint that must be what the search has.
// \throws std::invalid_argument saying what it is in the checkpoint and here.
void require_same(StateVisitor& visitor, const char* name, const std::string& ours);
void require_same(StateVisitor& visitor, const char* name, const Vector& ours);

}  // namespace surefoot
