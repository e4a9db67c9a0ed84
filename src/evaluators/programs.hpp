#pragma once

#include <cstddef>
#include <vector>

#include "evaluators/program.hpp"

namespace surefoot {

/// Programs that run at the same time.
using Programs = std::vector<Program*>;

/// Waits, for 100 ms at most, until something happens to one of the programs, and deals with it.
/// \throws std::system_error if the system cannot watch that many.
void await_programs(const Programs& programs);

Programs still_running(const Programs& programs);

/// Ends all programs, and returns when they have ended.
void cancel(const Programs& programs);

[[noreturn]] void throw_shortage(int error);

/// How many programs this process can run at a time with its limit of open files.
int most_programs(bool persistent);

bool is_true(const Interrupted& interrupted);

std::size_t worker_count(const ProgramLimits& limits);

}  // namespace surefoot
