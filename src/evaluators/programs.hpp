#pragma once

#include <cstddef>
#include <vector>

#include "evaluators/program.hpp"

namespace surefoot {

/// What runs at the same time.
using Programs = std::vector<Program*>;

/// Waits, for 100 ms at most, until something happens to one of the programs, and deals with it.
void serve(const Programs& programs);

Programs still_running(const Programs& programs);

/// Ends them all, and returns when they have ended.
void cancel(const Programs& programs);

[[noreturn]] void throw_shortage(int error);

bool is_true(const Interrupted& interrupted);

std::size_t worker_count(const ProgramLimits& limits);

}  // namespace surefoot
