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

/// All that the child needs. It shares our memory until exec, and may neither allocate nor lock.
struct ChildPlan {
  char* const* paths;  // to be tried in turn, ends with nullptr
  char* const* arguments;
  char* const* environment;
  const char* directory;  // or nullptr
  std::array<int, 3> streams;
  int report;
  pid_t parent;
};

/// The child's report if it could not become the program.
struct StartFailure {
  bool directory = false;
  int error = 0;
};

/// The child's number, or minus the errno.
pid_t fork_child(const ChildPlan& plan);

/// The paths at which a program of this name is searched.
std::vector<std::string> search_paths(const std::string& program);

/// The list as exec wants it: writable, although exec writes nothing.
std::vector<char*> c_list(std::vector<std::string>& texts);

/// The variables of this process with more of them, NAME=VALUE, behind.
std::vector<char*> environment_with(std::vector<std::string>& more);

std::string explain(const StartFailure& failure, const ProgramJob& job, const std::vector<std::string>& paths);

/// Waits until the child has become the program, which closes its end of the report, or has failed to.
std::optional<StartFailure> read_report(const Descriptor& report);

/// Descriptor that becomes readable when the process ends; closed if the kernel has none (before Linux 5.3).
Descriptor open_process(pid_t pid);

}  // namespace surefoot
