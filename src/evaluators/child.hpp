#pragma once

/// \file
/// How a process becomes a program.

#include <sys/types.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/descriptor.hpp"
#include "evaluators/program_pool.hpp"

namespace surefoot {

/// Everything that the child needs, prepared by the parent: the child shares our memory until exec, so it may neither
/// allocate nor lock.
struct ChildPlan {
  char* const* paths;  // tried in turn; ends with nullptr
  char* const* arguments;
  const char* directory;  // or nullptr
  std::array<int, 3> streams;
  int report;
  pid_t parent;
};

/// What the child reports if it could not become the program.
struct StartFailure {
  bool directory = false;
  int error = 0;
};

/// Returns the child's process id, or minus the errno.
pid_t fork_child(const ChildPlan& plan);

/// The paths at which a program of this name may be, in the order of PATH.
std::vector<std::string> search_paths(const std::string& program);

/// The list of pointers that exec takes. It is writable because exec's signature demands it.
std::vector<char*> c_list(std::vector<std::string>& texts);

std::string explain(const StartFailure& failure, const ProgramJob& job, const std::vector<std::string>& paths);

/// Waits until the child has become the program, which closes its end of the report, or has failed to become it.
std::optional<StartFailure> read_report(const Descriptor& report);

/// A descriptor that becomes readable when the process ends. It is closed where the kernel has none (before Linux 5.3).
Descriptor open_process(pid_t pid);

}  // namespace surefoot
